import { afterAll, beforeAll, expect, test } from 'bun:test'
import { describeWalks } from '../support/browser.ts'
import { layoutFaults } from '../support/layout-faults.ts'
import { changeTheme, openScene } from '../support/open-scene.ts'
import { type SceneServers, startSceneServers } from '../support/scene-servers.ts'
import { scenes } from '../support/scenes.ts'

const mainScenes = [
  'first start',
  'home, paged',
  'home, endless',
  'home, timeline',
  'albums',
  'album',
  'people',
  'person',
  'places',
  'places, a country',
  'on this day',
  'viewer',
  'viewer, details',
  'collections',
  'jobs',
  'links',
  'link, opened',
  'link, password',
  'link, not active',
  'shared link',
]

/** The last one is a laptop's window of 1440 × 900 at a zoom of 200 %. */
const sizes = [
  [390, 844],
  [844, 390],
  [768, 1024],
  [1024, 768],
  [1440, 900],
  [2560, 1440],
  [720, 450],
] as const

const minute = 60_000

describeWalks('every width', () => {
  let sceneServers: SceneServers
  beforeAll(async () => {
    sceneServers = await startSceneServers()
  }, 5 * minute)
  afterAll(() => sceneServers.stop())

  test('a text that is cut off, a covered button and one outside the window are found', async () => {
    const scene = scenes.find(({ name }) => name === 'albums')
    if (scene === undefined) throw new Error('there is no such scene')
    const { page } = await openScene(sceneServers, scene, { device: 'laptop', theme: 'dark' })
    await page.evaluate(`document.querySelector('main').insertAdjacentHTML('afterbegin',
      '<p style="width:40px;overflow:hidden;white-space:nowrap">Far too long</p>' +
      '<div style="position:fixed;inset:0 auto auto 0;width:200px;height:46px;z-index:99"></div>' +
      '<button style="position:fixed;left:-90px;top:99px">Outside</button>')`)
    const found = (await layoutFaults(page)).map(fault => fault.split(':')[0])
    expect(new Set(found)).toEqual(new Set(['is cut off', 'is covered', 'is outside the window']))
  })

  for (const scene of scenes.filter(({ name }) => mainScenes.includes(name))) {
    test(
      `${scene.name}: nothing is cut off, covered or outside the window, in both themes and directions`,
      async () => {
        const found: string[] = []
        for (const [width, height] of sizes) {
          const device = width < 600 || height < 500 ? 'phone' : 'laptop'
          const { page } = await openScene(sceneServers, scene, { device, theme: 'dark', size: { width, height } })
          try {
            for (const theme of ['dark', 'light'] as const)
              for (const direction of ['ltr', 'rtl']) {
                await changeTheme(page, theme)
                await page.evaluate(`document.documentElement.dir = '${direction}'`)
                let faults = await layoutFaults(page)
                // Layouts that depend on measured sizes follow within some frames.
                for (let tries = 0; faults.length > 0 && tries < 20; tries++) {
                  await Bun.sleep(50)
                  faults = await layoutFaults(page)
                }
                found.push(...faults.map(fault => `${width} × ${height}, ${theme}, ${direction}: ${fault}`))
              }
          } finally {
            await page.context().close()
          }
        }
        expect(found).toEqual([])
      },
      3 * minute,
    )
  }
})
