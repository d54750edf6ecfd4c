import { afterAll, beforeAll, expect, test } from 'bun:test'
import { axeFaults } from '../support/axe.ts'
import { describeWalks } from '../support/browser.ts'
import { changeTheme, openScene } from '../support/open-scene.ts'
import { type SceneServers, startSceneServers } from '../support/scene-servers.ts'
import { scenes } from '../support/scenes.ts'

/** A script that returns how many pixels wider the page is than its window. */
const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

const minute = 60_000

describeWalks('every screen', () => {
  let sceneServers: SceneServers
  beforeAll(async () => {
    sceneServers = await startSceneServers()
  }, 5 * minute)
  afterAll(() => sceneServers.stop())

  for (const scene of scenes) {
    test(
      `${scene.name}: on laptop and phone, axe finds nothing serious in any theme, nothing overflows in any direction`,
      async () => {
        for (const device of ['laptop', 'phone'] as const) {
          if (scene.only !== undefined && scene.only !== device) continue
          const { page } = await openScene(sceneServers, scene, { device, theme: 'dark' })
          try {
            const dark = await axeFaults(page)
            await changeTheme(page, 'light')
            const light = await axeFaults(page)
            expect({ device, dark, light }).toEqual({ device, dark: [], light: [] })
            expect(Number(await page.evaluate(overflow))).toBeLessThanOrEqual(0)
            await page.evaluate(`document.documentElement.dir = 'rtl'`)
            expect(Number(await page.evaluate(overflow))).toBeLessThanOrEqual(0)
          } finally {
            // A page that stays open keeps drawing, which slows all later tests.
            await page.context().close()
          }
        }
      },
      2 * minute,
    )
  }
})
