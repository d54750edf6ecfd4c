/** `npm run screenshots [PART OF A NAME …]`: all screens and states, by device and theme, into .output/screenshots. */
import './support/page-language.ts'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { buildWeb } from '../build/web.ts'
import { closeBrowser } from './support/browser.ts'
import { changeTheme, openScene } from './support/open-scene.ts'
import { samplesDirectory } from './support/samples.ts'
import type { Scene } from './support/scene.ts'
import { startSceneServers } from './support/scene-servers.ts'
import { scenes } from './support/scenes.ts'

const wanted = process.argv.slice(2)
const into = join(import.meta.dir, '../.output/screenshots')
const samples = samplesDirectory()
const slug = (name: string) => name.replace(/[^a-z0-9]+/gi, '-')

mkdirSync(into, { recursive: true })
await buildWeb({ onlyIfStale: true })
const sceneServers = await startSceneServers(samples)
const rows = new Map<Scene, string>()
let failed = 0

async function takeScreenshot(scene: Scene): Promise<void> {
  const cells: string[] = []
  for (const device of ['laptop', 'phone'] as const) {
    if (scene.only !== undefined && scene.only !== device) continue
    const file = (theme: string) => `${slug(scene.name)}-${device}-${theme}.png`
    const save = async (page: Page, theme: string) => {
      await page.screenshot({ path: join(into, file(theme)) })
      cells.push(`<img src="${file(theme)}" alt="${scene.name}, ${device}, ${theme}" loading="lazy">`)
    }
    try {
      const { page, errors } = await openScene(sceneServers, scene, { device, theme: 'dark' })
      await save(page, 'dark')
      await changeTheme(page, 'light')
      await save(page, 'light')
      await page.context().close()
      if (errors.length > 0 && scene.before === undefined) console.warn(`${scene.name}, ${device}: ${errors[0]}`)
    } catch (error) {
      failed++
      console.error(`${scene.name}, ${device}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  rows.set(scene, `<h2>${scene.name}</h2><div>${cells.join('')}</div>`)
}

const chosen = scenes.filter(({ name }) => wanted.length === 0 || wanted.some(part => name.includes(part)))
const waiting = [...chosen]
const work = async () => {
  for (let scene = waiting.shift(); scene !== undefined; scene = waiting.shift()) await takeScreenshot(scene)
}
await Promise.all([work(), work()])
await sceneServers.stop()
await closeBrowser()
const style = `body{font:14px system-ui;margin:24px;background:#777}div{display:flex;gap:16px;flex-wrap:wrap}img{height:420px}`
writeFileSync(
  join(into, 'index.html'),
  `<!doctype html><meta charset="utf-8"><title>Screenshots</title><style>${style}</style>${chosen.map(scene => rows.get(scene)).join('\n')}`,
)
console.log(`${join(into, 'index.html')}${failed > 0 ? `, ${failed} could not be made` : ''}`)
process.exit(failed > 0 ? 1 : 0)
