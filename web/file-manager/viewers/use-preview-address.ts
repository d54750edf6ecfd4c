/** Addresses of previews. */
import { useMemo, useRef, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useDesk } from '../desk-context.ts'

/** One address while the file is the same: new credentials in it are no reason to load it again. */
export function usePreviewAddress(item: FileNode, tries = 0): string {
  const { driver, versionOf } = useDesk()
  const version = tries === 0 ? versionOf(item) : `${versionOf(item)}-${tries}`
  return useMemo(() => driver.previewAddress(item.path, { version }), [driver, item.path, version])
}

/**
 * The address for the browser, and what to do on failure: where it would work by now (after a login, or a broken
 * connection) it is requested again; else the reason is reported.
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
