/** The page of a link that is not active, for visitors who may see nothing else. */
import { useSignals } from '@preact/signals-react/runtime'
import { Link2Off } from 'lucide-react'
import { useEffect } from 'react'
import { openLogin } from '../app/dialogs.ts'
import { deadLink } from '../items/dead-link.ts'
import { dayText } from '../kit/dates.ts'
import { baseTexts } from '../texts/base.ts'
import { sharingTexts } from '../texts/sharing.ts'
import { GuestBar } from './guest-bar.tsx'

export function DeadLink() {
  useSignals()
  useEffect(
    () => () => {
      deadLink.value = null
    },
    [],
  )
  const ended = deadLink.value?.ended ?? null
  return (
    <div className="guest calm-light">
      <GuestBar />
      <main className="dead-link">
        <Link2Off size={40} strokeWidth={1.25} className="soft mb-6" aria-hidden="true" />
        <h1 className="text-xl font-semibold">{baseTexts.sharedLinkIsNotActive}</h1>
        <p className="soft mt-2 text-balance">
          {ended === null ? sharingTexts.hasEnded : sharingTexts.endedOrTakenBack({ day: dayText(ended) })}{' '}
          {sharingTexts.askForANewLink}
        </p>
        <p className="soft mt-6">
          {sharingTexts.loginIfYouHaveAnAccount({
            login: (
              <button
                type="button"
                className="underline underline-offset-3 text-base-content min-h-(--tap)"
                onClick={() => openLogin()}
              >
                {sharingTexts.login}
              </button>
            ),
          })}
        </p>
      </main>
    </div>
  )
}
