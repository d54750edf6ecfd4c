/** All fields that exiftool reads in files, to check our writing with another program. */
import { relative } from 'node:path'
import { z } from 'zod'

const output = z.array(z.looseObject({ SourceFile: z.string() }))

/**
 * The fields of every file below a directory, by the file's relative path. A field is the JSON of a list, as a file can
 * have several values for it. Names include their groups ('EXIF:IFD0:Make'). Binary values are compared by length only,
 * and values that exiftool computes from others are left out.
 */
export function fieldsByFile(directory: string): Map<string, Map<string, string>> {
  const options = ['-j', '-r', '-a', '-u', '-G0:1:4', '-n', '-struct', '-ext', '*', '-x', 'Composite:all']
  const run = Bun.spawnSync(['exiftool', ...options, directory], { maxBuffer: 1 << 30 })
  const files = output.parse(JSON.parse(run.stdout.toString()))
  return new Map(files.map(({ SourceFile, ...fields }) => [relative(directory, SourceFile), valuesByName(fields)]))
}

function valuesByName(fields: Record<string, unknown>): Map<string, string> {
  const values = new Map<string, unknown[]>()
  for (const [name, value] of Object.entries(fields)) {
    // 'CopyN' numbers fields of the same name across groups; the numbers change when one of the fields is removed.
    const plain = name.replace(/:Copy\d+(?=:)/, '')
    values.set(plain, [...(values.get(plain) ?? []), value])
  }
  return new Map([...values].map(([name, all]) => [name, JSON.stringify(all)]))
}
