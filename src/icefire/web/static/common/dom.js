// Descriptions of elements, and a function that changes the document until it matches them.
// Elements that stay keep their focus, selection, typed text and scroll position.

const SVG = "http://www.w3.org/2000/svg";
const described = new WeakMap();

/**
 * Describe an element. `attributes.key` identifies it among its siblings from one update to the
 * next.
 */
export function h(tag, attributes = {}, ...children) {
  return { tag, attributes, children };
}

/** Change the children of `parent` in place until they match their descriptions. */
export function update(parent, children) {
  const shown = children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false);
  const before = new Map([...parent.childNodes].map((node) => [described.get(node)?.key, node]));
  const counts = new Map();
  const nodes = shown.map((child) => {
    const key = keyOf(child, counts);
    const node = before.get(key) ?? create(parent, child);
    fill(node, child, key);
    return node;
  });
  const kept = new Set(nodes);
  for (const node of [...parent.childNodes]) {
    if (!kept.has(node)) {
      node.remove();
    }
  }
  arrange(parent, nodes);
}

/**
 * Without a key of its own, a child is identified by its tag and by how many such siblings precede
 * it.
 */
function keyOf(child, counts) {
  const tag = child.tag ?? "#text";
  if (child.attributes?.key !== undefined) {
    return `${tag} ${child.attributes.key}`;
  }
  counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return `${tag}:${counts.get(tag)}`;
}

function create(parent, child) {
  if (child.tag === undefined) {
    return document.createTextNode("");
  }
  const inSvg = child.tag === "svg" || parent.namespaceURI === SVG;
  return inSvg ? document.createElementNS(SVG, child.tag) : document.createElement(child.tag);
}

function fill(node, child, key) {
  const before = described.get(node)?.attributes ?? {};
  described.set(node, { key, attributes: child.attributes ?? {} });
  if (child.tag === undefined) {
    // Writing the same text again would end a selection in it.
    if (node.nodeValue !== String(child)) {
      node.nodeValue = String(child);
    }
    return;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(child.attributes)])) {
    if (name !== "key" && before[name] !== child.attributes[name]) {
      setAttribute(node, name, child.attributes[name]);
    }
  }
  update(node, child.children);
}

function setAttribute(node, name, value) {
  if (name.startsWith("on")) {
    node[name] = value ?? null;
  } else if (name === "style") {
    // The content security policy allows properties, and forbids the attribute.
    Object.assign(node.style, value);
  } else if (value === undefined || value === null || value === false) {
    node.removeAttribute(name);
  } else {
    node.setAttribute(name, value === true ? "" : value);
  }
}

function arrange(parent, nodes) {
  let place = parent.firstChild;
  for (const node of nodes) {
    if (node !== place && node.contains(document.activeElement)) {
      // An element that is moved loses the focus: move its siblings instead.
      while (place !== node) {
        const next = place.nextSibling;
        parent.append(place);
        place = next;
      }
    }
    if (node === place) {
      place = place.nextSibling;
    } else {
      parent.insertBefore(node, place);
    }
  }
}
