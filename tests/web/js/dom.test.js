import assert from "node:assert/strict";
import { test } from "node:test";
import { h, update } from "../../../src/icefire/web/static/common/dom.js";
import "./document.js";

const { document } = globalThis;

function list(...keys) {
  return keys.map((key) => h("li", { key }, key));
}

function texts(parent) {
  return parent.childNodes.map((node) => node.textContent);
}

/** Draw one list after the other, with the focus on a row of the first. */
function drawn(before, after, focused = null) {
  const parent = document.createElement("ol");
  update(parent, list(...before));
  const nodes = new Map(parent.childNodes.map((node) => [node.textContent, node]));
  document.activeElement = nodes.get(focused) ?? null;
  parent.insertions = 0;
  update(parent, list(...after));
  return { parent, nodes };
}

test("elements are created with attributes, texts and children", () => {
  const parent = document.createElement("div");
  update(parent, [
    h("p", { id: "a", hidden: true, title: null }, "one ", 2, null, false, [h("b", {}, "three")]),
  ]);
  const [p] = parent.childNodes;
  assert.deepEqual(p.attributes, { id: "a", hidden: "" });
  assert.equal(p.textContent, "one 2three");
});

test("elements inside svg are svg", () => {
  const parent = document.createElement("div");
  update(parent, [h("svg", {}, h("title", {}, "x")), h("p", {})]);
  assert.match(parent.childNodes[0].childNodes[0].namespaceURI, /svg/);
  assert.equal(parent.childNodes[1].namespaceURI, null);
});

test("an update changes what differs and keeps the elements", () => {
  const parent = document.createElement("div");
  const first = () => {};
  update(parent, [h("button", { class: "a", title: "t", onclick: first }, "go")]);
  const [button] = parent.childNodes;
  const [text] = button.childNodes;
  // What the reader or the browser has changed since is left alone.
  button.attributes.value = "typed";
  const second = () => {};
  update(parent, [h("button", { class: "b", onclick: second }, "stop")]);
  assert.equal(parent.childNodes[0], button);
  assert.equal(button.childNodes[0], text);
  assert.deepEqual(button.attributes, { class: "b", value: "typed" });
  assert.equal(button.onclick, second);
  assert.equal(button.textContent, "stop");
  update(parent, [h("button", {}, "stop")]);
  assert.equal(button.onclick, null);
});

test("a text that stays the same is not written again", () => {
  const parent = document.createElement("p");
  update(parent, ["same"]);
  Object.defineProperty(parent.childNodes[0], "nodeValue", {
    get: () => "same",
    set: () => assert.fail("the text was written again"),
  });
  update(parent, ["same"]);
});

test("new rows at either end and rows that go away move nothing else", () => {
  const { parent, nodes } = drawn(["c", "b", "a"], ["e", "d", "c", "b"]);
  assert.deepEqual(texts(parent), ["e", "d", "c", "b"]);
  assert.equal(parent.childNodes[2], nodes.get("c"));
  assert.equal(parent.insertions, 2);
});

test("rows change places by their keys", () => {
  const { parent, nodes } = drawn(["a", "b", "c", "d"], ["d", "b", "a", "c"]);
  assert.deepEqual(texts(parent), ["d", "b", "a", "c"]);
  for (const node of parent.childNodes) {
    assert.equal(node, nodes.get(node.textContent));
  }
});

test("the row with the focus is never moved, wherever it goes", () => {
  const orders = [
    ["d", "c", "b", "a"],
    ["b", "c", "d", "a"],
    ["d", "a", "b", "c"],
    ["e", "d", "a", "f"],
  ];
  for (const order of orders) {
    const { parent, nodes } = drawn(["a", "b", "c", "d"], order, "d");
    assert.deepEqual(texts(parent), order);
    assert.equal(document.activeElement, nodes.get("d"));
  }
});

test("without keys, children of the same tag are matched in order", () => {
  const parent = document.createElement("div");
  update(parent, [h("p", {}, "a"), h("b", {}, "x"), h("p", {}, "c")]);
  const [p, b] = parent.childNodes;
  update(parent, [h("p", {}, "a2"), h("b", {}, "x")]);
  assert.deepEqual(texts(parent), ["a2", "x"]);
  assert.deepEqual(parent.childNodes, [p, b]);
});
