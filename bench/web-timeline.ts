/** Measures the timeline for `bench/web.ts`: opening, jumps and the wheel, with large and with small pictures. */
import type { Browser } from 'playwright'
import type { Row } from './measure.ts'
import {
  type Device,
  jumpTimeline,
  openPage,
  recordFrames,
  type State,
  traceTasks,
  turnWheel,
  waitUntil,
} from './web-browser.ts'

/** Heights of rows, and the most elements in the grid that are allowed for each. */
const sizes = [
  { height: 200, elements: 600 },
  { height: 80, elements: 1500 },
]
const jumps = 7

export async function measureTimeline(
  browser: Browser,
  address: string,
  state: State,
  { device, seconds }: { device: Device; seconds: number },
): Promise<Row[]> {
  const rows: Row[] = []
  for (const { height, elements } of sizes) {
    const page = await openPage(browser, device, state)
    await page.addInitScript(
      `localStorage.setItem('keepsake.options', JSON.stringify({ view: 'Timeline', rowHeight: ${height} }))`,
    )
    const add = (name: string, value: number, unit: string, most?: number) =>
      rows.push({
        name: `${device}, timeline of ${height} px: ${name}`,
        value,
        unit,
        ...(most === undefined ? {} : { reach: { most } }),
      })
    const stage = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
      process.stderr.write(`${device}: timeline of ${height} px, ${name}\n`)
      const { result, tasks } = await traceTasks(browser, page, act)
      add(`${name}, longest task`, tasks.longest, 'ms')
      add(`${name}, most time of our scripts in one task, processor time`, tasks.script.cpu, 'ms', 50)
      return result
    }
    await stage('opening', async () => {
      await page.goto(address)
      add('first picture', (await waitUntil(page, 'first')).at, 'ms')
      add('screen full of pictures', (await waitUntil(page, 'full')).at, 'ms')
      await Bun.sleep(2500)
    })
    const seen = await stage('jumps', async () => {
      const whole: number[] = []
      const frames = await recordFrames(page, async () => {
        for (let n = 0; n < jumps * 2; n++) {
          await jumpTimeline(page, device, n % 2 === 0 ? 1 : 0)
          whole.push((await waitUntil(page, 'whole')).since)
          await Bun.sleep(1000)
        }
      })
      add('jump, until all stand-ins', whole.reduce((sum, one) => sum + one, 0) / whole.length, 'ms', 300)
      return frames
    })
    add('jumps, frames with a blank row', seen.blank, '', 0)
    const rolled = await stage('wheel', () => recordFrames(page, () => turnWheel(page, seconds)))
    add('wheel, frames with a blank row', rolled.blank, '', 0)
    add('wheel, frames', rolled.frames, '')
    add('elements in the grid, most', Math.max(seen.nodes, rolled.nodes), '', elements)
    await page.context().close()
  }
  return rows
}
