import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { DESK } from "../../../src/icefire/desk/static/desk/words.js";

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
