/** Which build this is. */
import manifest from '../../package.json' with { type: 'json' }

/** Version of this build. */
export const version: string = manifest.version

/** 'YYYY-MM-DD' when this executable was built; from source, today. The bundler writes the date in place of the variable. */
export const built: string = process.env.KEEPSAKE_BUILT ?? new Date().toISOString().slice(0, 10)
