/** What tests import, without the rest of Bun: code of the web must not compile against it. */
/// <reference path="../../node_modules/bun-types/test.d.ts" />
