// draw-layout.js: looks, in a browser, at a page that hp-draw made: no text on another, none outside its picture, no arc through the
// relation of another one.  Where arcs must cross, as in trees that are not projective, one may come down through a relation;
// sections whose name begins with "projective" are held to that, too.  Then it presses keys, searches, prints.  What is wrong is written into the page, a line each,
// after them "looked at N texts".
{
	for (const d of document.querySelectorAll('details'))
		d.open = true;
	const said = [];
	let texts = 0;
	// The ink: a box has room for accents and descenders that few texts use.
	const box = t => {
		const b = t.getBBox(), h = b.height * 0.22;
		return {t, left: b.x, right: b.x + b.width, top: b.y + h, bottom: b.y + b.height - h};
	};
	const meet = (a, b) => a.left < b.right - 0.5 && b.left < a.right - 0.5 && a.top < b.bottom && b.top < a.bottom;
	// The straight pieces of a path of M, V, H and Q.
	const pieces = d => {
		let x = 0, y = 0;
		const out = [];
		for (const [, c, numbers] of d.matchAll(/([MVHQL])([-\d., ]+)/g)) {
			const n = numbers.split(/[ ,]+/).map(Number), from = {x, y};
			if (c === 'V') y = n[0];
			else if (c === 'H') x = n[0];
			else [x, y] = n.slice(-2);
			if (c === 'V' || c === 'H')
				out.push({level: c === 'H', left: Math.min(from.x, x), right: Math.max(from.x, x), top: Math.min(from.y, y),
					bottom: Math.max(from.y, y)});
		}
		return out;
	};
	for (const section of document.querySelectorAll('section')) {
		const svg = section.querySelector('svg'), name = section.querySelector('h2').textContent;
		const [, , width, height] = svg.getAttribute('viewBox').split(' ').map(Number);
		const boxes = [...svg.querySelectorAll('text')].map(box).sort((a, b) => a.top - b.top);
		const say = (what, t) => said.push(`${name}: ${what}: ${t.textContent}`);
		texts += boxes.length;
		boxes.forEach((b, i) => {
			if (b.left < 0 || b.top < 0 || b.right > width || b.bottom > height)
				say('outside', b.t);
			for (let k = i + 1; k < boxes.length && boxes[k].top < b.bottom; k++)
				if (meet(b, boxes[k]))
					say(`on ${boxes[k].t.textContent}`, b.t);
		});
		for (const arc of svg.querySelectorAll('.arc'))
			for (const p of pieces(arc.querySelector('path').getAttribute('d')))
				for (const b of boxes)
					if (b.t.parentNode !== arc && meet(p, b) && (p.level || name.includes('projective')))
						say('an arc through', b.t);
	}
	// ---- what keys do ----
	const press = (key, shiftKey = false, target = document.body) =>
		target.dispatchEvent(new KeyboardEvent('keydown', {key, shiftKey, bubbles: true}));
	const expect = (what, right) => right || said.push(what);
	const one = q => document.querySelector(q);
	const sections = [...document.querySelectorAll('section')], find = one('#find'), count = one('#count');
	const search = text => {
		find.value = text;
		find.dispatchEvent(new Event('input'));
		press('Enter', false, find);
	};
	const inSight = e => {
		const b = e.getBoundingClientRect();
		return b.width > 0 && b.top >= 0 && b.bottom <= innerHeight;
	};
	expect('the count of trees: ' + count.textContent, count.textContent === sections.length + ' trees');
	expect('a tree is chosen though no key was pressed', !one('.at'));
	const tree = [...document.querySelectorAll('.tree')].find(t => t.querySelector('details')); // opened above
	if (tree) {
		tree.closest('section').scrollIntoView();
		press('f');
		expect('f folds nothing', !tree.querySelector('details[open]'));
		press('f');
		expect('f unfolds nothing', tree.querySelector('details[open]'));
		// A word of the longest document, whose outline is closed first: a hit opens it, and all around it.
		const last = sections.at(-1), word = [...last.querySelectorAll('bdi')].at(-1).textContent.trim().split(/[\s\u00a0]+/).at(-1);
		for (const d of last.querySelectorAll('details'))
			d.open = false;
		search(word);
		press('Enter', true);
		const now = one('mark.now');
		expect('no hit is shown', now && now.textContent.toLowerCase() === word.toLowerCase());
		expect('the hit is out of sight', now && inSight(now));
		expect('the count of hits: ' + count.textContent, /^\d+ of \d+ hits? in (\d+ of )?\d+ trees?$/.test(count.textContent));
	}
	search('there is no such text');
	expect('an empty result: ' + count.textContent, count.textContent === 'nothing found');
	press('Escape');
	expect('marks stay', !one('mark, .hit, .now') && sections.every(s => !s.hidden));
	press('j');
	expect('j does not begin at the first tree', one('.at') === sections[0]);
	press('j');
	expect('j does not go on', one('.at') === sections[1]);
	if (one('#next')) {
		const relations = [...document.querySelectorAll('.arc text')].filter(t => t.textContent.includes('nmod:poss'));
		search('nmod:poss');
		press('Enter');
		expect('relations: ' + count.textContent, count.textContent.startsWith(`2 of ${relations.length} hits in `));
		expect('the second relation', relations[1].classList.contains('now') && inSight(relations[1]));
		press('Escape');
		const wrong = document.querySelectorAll('.wrong'), differ = sections.filter(s => s.dataset.differ !== '0');
		expect('the count of differences: ' + one('#differ').textContent,
			one('#differ').textContent === `${wrong.length} differences in ${differ.length} trees`);
		one('#next').click();
		expect('the first difference', wrong[0].classList.contains('now') && inSight(wrong[0]));
		press('d');
		expect('the second difference', wrong[1].classList.contains('now') && !wrong[0].classList.contains('now'));
		press('D');
		press('D');
		expect('the last difference', wrong[wrong.length - 1].classList.contains('now'));
		one('#only').click();
		expect('trees that do not differ are shown', sections.every(s => s.hidden === (s.dataset.differ === '0')));
		one('#only').click();
	}
	// ---- on paper, as wide as the window ----
	const print = document.createElement('style');
	for (const sheet of document.styleSheets)
		for (const rule of sheet.cssRules)
			if (rule.media?.mediaText === 'print')
				print.textContent += [...rule.cssRules].map(r => r.cssText).join('\n');
	document.head.append(print);
	for (const p of document.querySelectorAll('.picture'))
		expect('a printed picture is cut off', p.scrollWidth <= p.clientWidth && p.scrollHeight <= p.clientHeight + 1);
	const result = document.createElement('pre');
	result.id = 'result';
	result.textContent = said.slice(0, 20).join('\n') + `\nlooked at ${texts} texts, ${said.length} wrong\n`;
	document.body.append(result);
}
