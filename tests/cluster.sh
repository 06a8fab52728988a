#!/bin/bash
# examples/cluster, for real: two hosts, which are network namespaces, each with an sshd and a slurmd of its own, that die
# in the middle of their work.  Not among the tests of "make check", for it needs root and the packages below:
#	make check TESTS=tests/cluster.sh
# takes a minute and a half.  It goes to no network outside, and what it starts and writes ends with it, for processes,
# interfaces and files (in a /run of its own) are in namespaces.
# shellcheck disable=SC2016 # much is said in quotes that other shells expand
srcdir=$(cd "${srcdir:-$(dirname "$0")/..}" && pwd)
builddir=${builddir:-$srcdir/build}
packages='parallel openssh-server openssh-client slurm-wlm munge iproute2 util-linux'
commands='parallel sshd ssh ssh-keygen slurmctld slurmd sbatch srun munged ip unshare nsenter'
PATH=$builddir/bin:$PATH:/usr/sbin:/sbin

if [ "${HP_APART:-}" != yes ] || [ $$ -ne 1 ]; then # in its own namespace it is process 1
	# shellcheck disable=SC2086 # a list
	if [ "$(type -P $commands | wc -l)" -ne "$(wc -w <<<"$commands")" ] ||
		! unshare --net --uts --ipc --pid --fork --mount-proc ip link add bridge type bridge 2>/dev/null; then
		echo 'ok 1 - several hosts # SKIP needs root and apt-get install --no-install-recommends '"$packages"
		echo 1..1
		exit
	fi
	export srcdir builddir HP_APART=yes
	exec timeout 240 unshare --net --uts --ipc --pid --fork --kill-child --mount-proc bash "$0"
fi
mount -t tmpfs -o mode=755 none /run
export TMPDIR=/run
# shellcheck source=tests/lib.sh
. "$srcdir/tests/lib.sh"
chmod 755 "$work" # munged wants it
cd "$work" || exit 1
cluster=$srcdir/examples/cluster

# wait_for COMMAND...: until it succeeds, for half a minute.
wait_for() {
	for _ in {1..300}; do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	echo "waited in vain for: $*" >>"$work/why"
	return 1
}

# ---- the hosts: "head", which is here, "one" and "two" ----

hostname head
ip link set lo up
ip link add bridge type bridge
ip address add 10.0.0.1/24 dev bridge
ip link set bridge up
printf '10.0.0.%s\n' '1 head' '11 one' '12 two' >hosts
mount --bind hosts /etc/hosts
mkdir -p /run/sshd parallel
ssh-keygen -q -t ed25519 -N '' -f key
declare -A pid

# apart PID: whether it has its own network.
apart() {
	[ "$(readlink "/proc/$1/ns/net")" != "$(readlink /proc/self/ns/net)" ]
}

# host NAME NUMBER: with models of its own, but the files of all are the same.
host() {
	mkdir -p "$1/models"
	printf '%s\n' "HostKey $work/key" "AuthorizedKeysFile $work/key.pub" 'StrictModes no' 'PidFile none' \
		"SetEnv PATH=$PATH HP_MODEL_PATH=$work/$1/models" >"$1/sshd_config"
	unshare --net --uts sleep infinity &
	pid[$1]=$!
	wait_for apart "${pid[$1]}"
	ip link add "$1" netns "${pid[$1]}" type veth peer name "to-$1"
	ip link set "to-$1" master bridge up
	on "$1" hostname "$1"
	on "$1" ip link set lo up
	on "$1" ip link set "$1" up
	on "$1" ip address add "10.0.0.$2/24" dev "$1"
	on "$1" "$(type -P sshd)" -f "$work/$1/sshd_config" -E "$work/$1/sshd.log"
}

# on HOST COMMAND...
on() {
	nsenter --target "${pid[$1]}" --net --uts "${@:2}"
}

host one 11
host two 12
printf '%s\n' "IdentityFile $work/key" "UserKnownHostsFile $work/known" 'StrictHostKeyChecking accept-new' >ssh_config
export PARALLEL_HOME=$work/parallel PARALLEL_SSH="ssh -F $work/ssh_config -o LogLevel=error -o BatchMode=yes -o ConnectTimeout=2 -o ServerAliveInterval=1"

# ---- what is parsed, and by what ----

"$builddir/tests/make-model" small.safetensors && "$builddir/tests/make-model" -r small-rst.safetensors
for folder in . one/models two/models; do
	ln -s "$work"/small*.safetensors $folder 2>/dev/null
done
for _ in {1..12}; do cat "$srcdir/examples/sample.conllu"; done >corpus
export SHARE=16K HP_MODEL_PATH=$work
hp-parse -m small corpus >expected

# The worker: notes that it has begun, does what the file "trouble" says, and parses.
cat >parse <<END
#!/bin/bash
cd $work && hostname >>runs && . ./trouble && exec hp-parse "\$@"
END
chmod +x parse
echo true >trouble
killed='! mkdir once 2>/dev/null || { head -n 20 | hp-parse -m small; kill -9 $$; }'
stuck='[ "$(hostname)" = two ] || { touch stuck; sleep infinity; }'

# same NAME FILE [EXPECTED]: the output is whole, and nothing is left beside it.
same() {
	cmp "$2" "${3:-expected}" >>why 2>&1 && [ ! -e "$2.shares" ] && [ ! -e "$2.part" ]
	point $? "$1"
	rm -rf once runs stuck "$2" "$2.shares"
	echo true >trouble
}

# ---- GNU parallel over ssh ----

over_ssh() {
	timeout 60 "$cluster/parse-ssh" 2/one,2/two "$@" >>why 2>&1
}

wait_for ssh -F ssh_config one true && wait_for ssh -F ssh_config two true
over_ssh corpus out hp-parse -m small
same 'ssh: the same as on one machine' out

sed 's/$/\r/' corpus >crlf
over_ssh crlf out "$work/parse" -m small
[ "$(sort -u runs | paste -s)" = $'one\ttwo' ] && [ "$(wc -l <runs)" -ge 5 ]
point $? 'ssh: in shares, on both hosts'
same 'ssh: lines that end in CRLF' out

for _ in {1..2000}; do printf '%s\n' 'She reads' 'a book .' '' 'The dog barks' ',' 'she reads' ''; done >edus
hp-parse -m small-rst edus >expected-rst
over_ssh edus out hp-parse -m small-rst
same 'ssh: rhetorical trees' out expected-rst

echo "$killed" >trouble
over_ssh corpus out "$work/parse" -m small
shares=$(($(wc -l <runs) - 1))
[ -e once ]
point $? 'ssh: a worker is killed midway'
same 'ssh: its share is done again' out

# The other host would wait for a minute before it gave up a connection.
echo "$stuck" >trouble
(wait_for [ -e stuck ] && ip link set to-one down) &
over_ssh corpus out "$work/parse" -m small
[ -e stuck ]
point $? 'ssh: a host goes silent midway'
same 'ssh: the other does its shares' out
ip link set to-one up

echo '[ "$(wc -l <runs)" -le 3 ] || { touch stuck; sleep infinity; }' >trouble
setsid "$cluster/parse-ssh" 1/one corpus out "$work/parse" -m small >>why 2>&1 &
wait_for [ -e stuck ]
{ kill -9 -- -$! && wait $!; } 2>/dev/null
[ ! -e out ] && [ -d out.shares ]
point $? 'ssh: killed itself, it leaves no output'
! over_ssh edus out "$work/parse" -m small && grep -q 'out.shares: shares of another corpus' why
point $? 'ssh: what is left is not taken for that of another corpus'
echo true >trouble
: >runs
over_ssh corpus out "$work/parse" -m small
[ "$(wc -l <runs)" -eq $((shares - 3)) ]
point $? 'ssh: the same command does what is missing'
same 'ssh: and no more is needed' out

{ echo '# global.columns = ID FORM HEAD DEPREL' && cat corpus; } >plus
! over_ssh plus out "$work/parse" -m small && grep -q 'CoNLL-U Plus cannot be cut' why && [ ! -e out ]
point $? 'ssh: CoNLL-U Plus is refused'

# ---- Slurm ----

mkdir state
head -c 64 /dev/urandom >munge.key
chmod 400 munge.key
munged --key-file="$work/munge.key" --socket="$work/munge.socket" --pid-file="$work/munge.pid" \
	--log-file="$work/munge.log" --seed-file="$work/munge.seed" 2>>why
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=head
SlurmUser=root
AuthInfo=socket=$work/munge.socket
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/%n/slurmd.log
MailProg=/bin/true
MpiDefault=none
ProctrackType=proctrack/linuxproc
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1
SlurmdTimeout=5
NodeName=one,two CPUs=2
PartitionName=all Nodes=ALL Default=YES
END
export SLURM_CONF=$work/slurm.conf
slurmctld
on one slurmd
on two slurmd
wait_for sh -c '[ "$(sinfo -h -N -t idle | wc -l)" -eq 2 ]'
up=$?
point $up 'Slurm: two nodes'
[ $up -eq 0 ] || { plan; exit 1; }

over_slurm() {
	timeout 100 "$cluster/parse-slurm" "$@" >>why 2>&1
}

echo "$killed" >trouble
over_slurm corpus out "$work/parse" -m small
[ -e once ]
point $? 'Slurm: a worker is killed midway'
same 'Slurm: its share is done again' out

echo '[ "$SLURM_ARRAY_TASK_ID" -ne 3 ]' >trouble
! over_slurm corpus out "$work/parse" -m small && [ ! -e out ] && [ -d out.shares ]
point $? 'Slurm: what always fails leaves no output'
echo true >trouble
: >runs
over_slurm corpus out "$work/parse" -m small
[ "$(wc -l <runs)" -eq 1 ]
point $? 'Slurm: the same command does what is missing'
same 'Slurm: and no more is needed' out

# The same experiment here and by srun.
cp -r "$srcdir/examples/gum" "$srcdir/maps" .
chmod -R u+w gum
for i in {1..18}; do
	echo "when she sings , he waits and she reads$i ." >"gum/$i.txt"
	cat >"gum/$i.dis" <<END
( Root (span 1 3) ( Satellite (leaf 1) (rel2par context-background) (text _!when she sings ,_!) )
( Nucleus (span 2 3) (rel2par span) ( Nucleus (leaf 2) (rel2par joint-list) (text _!he waits_!) )
( Nucleus (leaf 3) (rel2par joint-list) (text _!and she reads$i ._!) ) ) )
END
done
seq 1 12 >gum/docs.train
seq 13 15 >gum/docs.dev
seq 16 18 >gum/docs.test
printf '%s 0.5 -0.5 1 2\n' she sings when , . >gum/vectors
printf 'x,x,%s\n' 6,hidden 2,layers 4,label_mlp 4,word_dim 2,char_filters 4,char_dim 4,batch >gum/small.csv
cp -r gum gum-srun
experiment() {
	HP_MAP_PATH=$work/maps timeout 60 make -s -C "$1" -j2 TREES=. SENTENCES=. VECTORS=vectors HYPER=small.csv EPOCHS=1 \
		SEEDS=1 FUSIONS='T PST' QUEUE="$2" table.txt >>why 2>&1
}
experiment gum '' && experiment gum-srun 'srun -Q --exclusive' && (cd gum && sha256sum ./*.dis table.* ./*.safetensors) >sums &&
	(cd gum-srun && sha256sum --quiet -c ../sums) >>why 2>&1
point $? 'Slurm: an experiment, the same with QUEUE'
[ "$(scontrol show jobs | grep -c 'JobName=hp-train')" -eq 2 ]
point $? 'Slurm: its trainings were jobs'

echo "$stuck" >trouble
(wait_for [ -e stuck ] && ip link set to-one down) &
over_slurm corpus out "$work/parse" -m small
[ -e stuck ]
point $? 'Slurm: a node goes silent midway'
same 'Slurm: the other does its shares' out
plan
