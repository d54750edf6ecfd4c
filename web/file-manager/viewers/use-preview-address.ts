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
 * Returns an address for the browser, and handlers. After an error, the server is asked whether it would send the file
 * now (after a login, or a broken connection). If so, the browser loads it again; else the reason is reported. While
 * there is no response, this is repeated.
 */
export function useRetriedAddress(item: FileNode, onFault: (message: string) => void) {
  const { t, driver, messageOf } = useController()
  const [tries, setTries] = useState(0)
  const [isAway, setAway] = useState(false)
  const address = usePreviewAddress(item, tries)
  const hasLoaded = useRef(false)
  /** `wasAway`: the message is already shown. */
  async function check(wasAway: boolean) {
    try {
      await driver.requirePreview(item.path)
      setAway(false)
      if (wasAway) onFault('')
      if (wasAway || (tries === 0 && !hasLoaded.current)) setTries(tries + 1)
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
    onLoad: () => {
      hasLoaded.current = true
    },
    onError: () => void check(false),
  }
}
