/** Downloads: the browser downloads the file itself, but a refusal is shown in the page. */
import type { FileNode } from '../../schema/api/file-manager.ts'
import { saveAs } from '../kit/save-as.ts'
import type { Controller } from './controller.ts'

/** A refused link shows nothing in the page, so ask the server first. */
export async function download(
  { driver, showToast, localized, messageOf }: Controller,
  { path }: FileNode,
): Promise<void> {
  try {
    await driver.requireDownload(path)
  } catch (error) {
    return showToast(localized(messageOf(error)), true)
  }
  saveAs(driver.downloadAddress(path))
}
