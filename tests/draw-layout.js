// draw-layout.js: looks, in a browser, at a page that hp-draw made: no text on another, none outside its picture, no arc through the
// relation of another one.  Where arcs must cross, as in trees that are not projective, one may come down through a relation;
// sections whose name begins with "projective" are held to that, too.  What is wrong is written into the page, a line each,
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
	const result = document.createElement('pre');
	result.id = 'result';
	result.textContent = said.slice(0, 20).join('\n') + `\nlooked at ${texts} texts, ${said.length} wrong\n`;
	document.body.append(result);
}
