/** The web pages inside the executable. From source there are none here: the build puts a generated module in this place. */

/** `manifest` as `build/web.ts` wrote it; `files`: paths of its files (`assets/a.js`, `assets/a.js.br`). */
export interface EmbeddedWeb {
  manifest: unknown
  files: Record<string, string>
}

export const embeddedWeb: EmbeddedWeb | null = null
