/** Whether a picture could not be loaded; false again for another address, and when the server is back. */
import { useEffect, useState } from 'react'
import { onRecovery } from './recovery.ts'

export function useBroken(address: string): { broken: boolean; onError: () => void } {
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => (failed === null ? undefined : onRecovery(() => setFailed(null))), [failed])
  return {
    broken: failed === address,
    onError: () => setFailed(address),
  }
}
