/** The web pages inside the executable. Null when running from source; the build replaces this module. */

export interface EmbeddedWeb {
  /** As `build/web.ts` wrote it. */
  manifest: unknown
  /** Paths of the files by name (`assets/a.js`, `assets/a.js.br`). */
  files: Record<string, string>
}

export const embeddedWeb: EmbeddedWeb | null = null
