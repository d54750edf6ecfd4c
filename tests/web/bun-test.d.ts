/** The types of `bun:test` only: code of the web must not compile against the rest of Bun. */
/// <reference path="../../node_modules/bun-types/test.d.ts" />
