import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { say, setLanguage } from "../../../src/icefire/web/static/common/language.js";
import { WORDS } from "../../../src/icefire/web/static/common/words.js";

const STATIC = fileURLToPath(new URL("../../../src/icefire/web/static/", import.meta.url));
const { en, ja } = WORDS;

function placeholders(text) {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
}

function sources() {
  const folders = readdirSync(STATIC, { withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );
  const files = folders.flatMap(({ name }) =>
    readdirSync(join(STATIC, name)).map((file) => join(STATIC, name, file)),
  );
  const scripts = files.filter((file) => file.endsWith(".js") && !file.endsWith("words.js"));
  return scripts.map((file) => readFileSync(file, "utf8")).join("\n");
}

test("both languages have the same keys in the same order", () => {
  assert.deepEqual(Object.keys(en), Object.keys(ja));
});

test("both languages fill in the same values", () => {
  for (const key of Object.keys(en)) {
    assert.deepEqual(placeholders(en[key]), placeholders(ja[key]), key);
  }
});

test("every key is used, and every key that is said exists", () => {
  const source = sources();
  const said = [...source.matchAll(/say\("([^"]+)"/g)].map(([, key]) => key);
  assert.ok(said.length > 50);
  assert.deepEqual(
    said.filter((key) => !(key in en)),
    [],
  );
  // Keys like `story.${what}` are put together.
  const families = [...source.matchAll(/`([\w.]+\.)\$\{/g)].map(([, family]) => family);
  const used = (key) =>
    source.includes(`"${key}"`) || families.some((family) => key.startsWith(family));
  assert.deepEqual(
    Object.keys(en).filter((key) => !used(key)),
    [],
  );
});

test("a text is said in the current language, with its values", () => {
  setLanguage("ja");
  assert.equal(say("left", { n: 3 }), "残り 3 回");
  setLanguage("en");
  assert.equal(say("left", { n: 3 }), "tries left: 3");
});
