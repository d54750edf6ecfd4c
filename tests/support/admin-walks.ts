/** Steps that walks of the administration share. */
import type { Page } from 'playwright'
import { baseTexts } from '../../web/texts/base.ts'
import { runCommand } from './command.ts'

/** Opens a screen from the menu. */
export async function openScreen(page: Page, name: string) {
  const link = page.getByRole('link', { name, exact: true })
  if ((await link.count()) === 0) await page.getByRole('button', { name: baseTexts.admin }).click()
  await link.click()
  await page.getByRole('heading', { name, exact: true }).waitFor()
}

export const field = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true })
export const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** The library's metadata, as `keepsake export` writes it. */
export async function exportLibrary(data: string): Promise<string> {
  const { out, code, err } = await runCommand(['export', '--data', data])
  if (code !== 0) throw new Error(err)
  return out
}
