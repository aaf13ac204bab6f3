// A document of a few lines: as much of the DOM as `update` uses, for tests without a browser.

import { update } from "../../../src/icefire/web/static/common/dom.js";

class FakeNode {
  constructor(tag, namespaceURI = null) {
    Object.assign(this, {
      tag,
      namespaceURI,
      parent: null,
      childNodes: [],
      attributes: {},
      style: {},
    });
    this.nodeValue = null;
    this.insertions = 0;
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get nextSibling() {
    const siblings = this.parent.childNodes;
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  insertBefore(node, place) {
    // As in a browser, an element that is moved loses the focus.
    if (node.contains(document.activeElement)) {
      document.activeElement = null;
    }
    node.remove();
    const index = place === null ? this.childNodes.length : this.childNodes.indexOf(place);
    this.childNodes.splice(index, 0, node);
    node.parent = this;
    this.insertions += 1;
  }

  append(node) {
    this.insertBefore(node, null);
  }

  remove() {
    if (this.parent) {
      this.parent.childNodes.splice(this.parent.childNodes.indexOf(this), 1);
      this.parent = null;
    }
  }

  contains(node) {
    return node === this || this.childNodes.some((child) => child.contains(node));
  }

  setAttribute(name, value) {
    this.attributes[name] = String(value);
  }

  removeAttribute(name) {
    delete this.attributes[name];
  }

  get textContent() {
    return this.nodeValue ?? this.childNodes.map((child) => child.textContent).join("");
  }
}

globalThis.document = {
  activeElement: null,
  createElement: (tag) => new FakeNode(tag),
  createElementNS: (namespace, tag) => new FakeNode(tag, namespace),
  createTextNode: () => new FakeNode("#text"),
};

/** All elements of a description with a tag, drawn. */
export function elements(description, tag) {
  const root = globalThis.document.createElement("div");
  update(root, [description]);
  const all = (node) => [node, ...node.childNodes.flatMap(all)];
  return all(root).filter((node) => node.tag === tag);
}
