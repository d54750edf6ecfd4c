/** `npm run screenshots [PART OF A NAME …]`: every screen and state, on both devices, in both themes, into .output/screenshots. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb } from '../build/web.ts'
import { closeBrowser } from './support/browser.ts'
import { samplesDirectory } from './support/samples.ts'
import { scenes } from './support/scenes.ts'
import { openShowroom } from './support/showroom.ts'
import { looks, stage } from './support/stage.ts'

const wanted = process.argv.slice(2)
const into = join(import.meta.dir, '../.output/screenshots')
const samples = samplesDirectory()
const slug = (name: string) => name.replace(/[^a-z0-9]+/gi, '-')

mkdirSync(into, { recursive: true })
await buildWeb({ ifStale: true })
const showroom = await openShowroom(samples)
const rows: string[] = []
let failed = 0
for (const scene of scenes) {
  if (wanted.length > 0 && !wanted.some(part => scene.name.includes(part))) continue
  const cells: string[] = []
  for (const look of looks) {
    if (scene.only !== undefined && scene.only !== look.device) continue
    const file = `${slug(scene.name)}-${look.device}-${look.theme}.png`
    try {
      const { page, faults } = await stage(showroom, scene, look)
      await page.screenshot({ path: join(into, file) })
      await page.context().close()
      if (faults.length > 0 && scene.before === undefined) console.warn(`${file}: ${faults.join('; ')}`)
    } catch (error) {
      failed++
      console.error(`${file}: ${error instanceof Error ? error.message : String(error)}`)
    }
    cells.push(
      `<figure><img src="${file}" alt="" loading="lazy"><figcaption>${look.device}, ${look.theme}</figcaption></figure>`,
    )
  }
  console.log(scene.name)
  rows.push(`<h2>${scene.name}</h2><div>${cells.join('')}</div>`)
}
await showroom.stop()
await closeBrowser()
const style = `body{font:14px system-ui;margin:24px;background:#777}div{display:flex;gap:16px;flex-wrap:wrap}
  figure{margin:0}img{height:420px;display:block}`
writeFileSync(
  join(into, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>${style}</style>${rows.join('\n')}`,
)
console.log(`${join(into, 'index.html')}${failed > 0 ? `, ${failed} could not be made` : ''}`)
process.exit(failed > 0 ? 1 : 0)
