import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { register } from "node:module";
import { test } from "node:test";
import { DESK } from "../../../src/icefire/desk/static/desk/words.js";

import { elements } from "./document.js";

// The desk's server has the arena's common scripts beside its own.
const RESOLVE = `export const resolve = (name, context, next) =>
  next(
    context.parentURL?.includes("/desk/static/")
      ? name.replace("../common/", "../../../web/static/common/")
      : name,
    context,
  );`;
globalThis.location = { pathname: "/session/1" };
register(`data:text/javascript,${encodeURIComponent(RESOLVE)}`);
const { chart } = await import("../../../src/icefire/desk/static/desk/chart.js");

const FOLDER = new URL("../../../src/icefire/desk/static/desk/", import.meta.url);
const { en, ja } = DESK;

function source() {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith(".js") && file !== "words.js");
  return files.map((file) => readFileSync(new URL(file, FOLDER), "utf8")).join("\n");
}

function placeholders(text) {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
}

test("the desk says the same in both languages", () => {
  assert.deepEqual(Object.keys(en), Object.keys(ja));
  for (const key of Object.keys(en)) {
    assert.deepEqual(placeholders(en[key]), placeholders(ja[key]), key);
  }
});

test("every text of the desk is used, and every text that is said exists", () => {
  const text = source();
  const said = [...text.matchAll(/"(desk\.[^"]+)"/g)].map(([, key]) => key);
  assert.deepEqual(
    said.filter((key) => !(key in en)),
    [],
  );
  const families = [...text.matchAll(/`(desk\.[\w.]*)\$\{/g)].map(([, family]) => family);
  const used = (key) =>
    text.includes(`"${key}"`) || families.some((family) => key.startsWith(family));
  assert.deepEqual(
    Object.keys(en).filter((key) => !used(key)),
    [],
  );
});

test("dots of the picture lie where risk and use are, and those that coincide are counted", () => {
  const trial = (number, risk, utility) => ({ trial: number, risk, utility, steps: ["step"] });
  const trials = [
    trial(1, 0.25, 0.8),
    trial(2, 0.25, 0.8),
    trial(3, 0.25, 0.9),
    trial(4, 0, 0.8),
    trial(5, 0.25, 0.80001),
  ];
  const picture = chart({ trials, limit: 0.05, chosen: null, look: () => {} });
  const dots = elements(picture, "circle").map(({ attributes }) => [attributes.cx, attributes.cy]);
  const [fourth, third, fifth, second, first] = dots.map((place) => place.map(Number));
  assert.deepEqual(first, second);
  assert.ok(first[0] < third[0] && first[1] === third[1]);
  assert.ok(first[0] === fourth[0] && first[1] < fourth[1]);
  assert.ok(fifth[0] > first[0]);
  const counts = elements(picture, "text").filter(({ attributes }) =>
    attributes.class.startsWith("count"),
  );
  assert.deepEqual(
    counts.map(({ textContent }) => textContent),
    ["3"],
  );
});
