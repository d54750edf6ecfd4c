/** Where the bytes of a file come from that is looked at. */
import { useMemo, useRef, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useDesk } from '../desk-context.ts'

/**
 * One address for as long as the file is the same: what the page proves itself by may change meanwhile, and is no
 * reason to load it again.
 */
export function usePreviewAddress(item: FileNode, tries = 0): string {
  const { driver, versionOf } = useDesk()
  const version = tries === 0 ? versionOf(item) : `${versionOf(item)}-${tries}`
  return useMemo(() => driver.previewAddress(item.path, { version }), [driver, item.path, version])
}

/**
 * The address for what the browser itself requests, and what to do when nothing comes: where it would come by now
 * (somebody had to sign in first, or the way to the server was broken) it is requested again; else it is told why it
 * does not.
 */
export function useTriedAddress(item: FileNode, onFault: (message: string) => void) {
  const { t, whyNotShown } = useDesk()
  const [tries, setTries] = useState(0)
  const address = usePreviewAddress(item, tries)
  const hasCome = useRef(false)
  async function failed() {
    const why = await whyNotShown(item.path)
    if (why === '' && tries === 0 && !hasCome.current) setTries(1)
    else onFault(why === '' ? t('cannotShow') : why)
  }
  return {
    address,
    came: () => {
      hasCome.current = true
    },
    failed: () => void failed(),
  }
}
