/** Addresses of previews. */
import { useMemo, useRef, useState } from 'react'
import type { FileNode } from '../../../schema/api/file-manager.ts'
import { useRetry } from '../../kit/time/use-retry.ts'
import { useController } from '../controller-context.ts'
import { NoResponse } from '../driver.ts'

/** Keeps the address while the file is the same: new credentials in it are no reason to reload the file. */
export function usePreviewAddress(item: FileNode, tries = 0): string {
  const { driver, versionOf } = useController()
  const version = tries === 0 ? versionOf(item) : `${versionOf(item)}-${tries}`
  return useMemo(() => driver.previewAddress(item.path, { version }), [driver, item.path, version])
}

/**
 * The address for the browser, and a failure handler: if the address would work by now (after a login, or a broken
 * connection), it is requested again; else the reason is reported, and while there is no response, this is repeated.
 */
export function useTriedAddress(item: FileNode, onFault: (message: string) => void) {
  const { t, driver, messageOf } = useController()
  const [tries, setTries] = useState(0)
  const [isAway, setAway] = useState(false)
  const address = usePreviewAddress(item, tries)
  const hasCome = useRef(false)
  /** `wasAway`: the message is already shown. */
  async function check(wasAway: boolean) {
    try {
      await driver.requirePreview(item.path)
      setAway(false)
      if (wasAway) onFault('')
      if (wasAway || (tries === 0 && !hasCome.current)) setTries(tries + 1)
      else onFault(t('cannotShow'))
    } catch (error) {
      const isStillAway = error instanceof NoResponse
      setAway(isStillAway)
      if (!(wasAway && isStillAway)) onFault(messageOf(error))
    }
  }
  useRetry(isAway, () => check(true))
  return {
    address,
    came: () => {
      hasCome.current = true
    },
    failed: () => void check(false),
  }
}
