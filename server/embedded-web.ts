/** The web pages inside the executable. Null when running from source; the build replaces this module. */

/** `manifest` as `build/web.ts` wrote it; `files`: where each file is, by name (`assets/a.js`, `assets/a.js.br`). */
export interface EmbeddedWeb {
  manifest: unknown
  files: Record<string, string>
}

export const embeddedWeb: EmbeddedWeb | null = null
