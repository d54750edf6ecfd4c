/** The version of this build. */
import manifest from '../../package.json' with { type: 'json' }

export const version: string = manifest.version

/** 'YYYY-MM-DD' of the build; when run from source, today. The bundler replaces the variable with the date. */
export const built: string = process.env.KEEPSAKE_BUILT ?? new Date().toISOString().slice(0, 10)
