/** The screen saver: Play, Settings, Devices. While nobody is signed in, a registered screen plays automatically. */
import { useSignals } from '@preact/signals-react/runtime'
import { useEffect, useState } from 'react'
import { address, go } from '../app/address.ts'
import { clientOfDevice, deviceState, loadDeviceState, paired } from '../app/device.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import { signedIn, user } from '../app/session.ts'
import { Tabs } from '../kit/tabs.tsx'
import { TryAgain } from '../kit/try-again.tsx'
import { baseTexts } from '../texts/base.ts'
import { saverTexts } from '../texts/saver.ts'
import { DevicesTab } from './devices.tsx'
import { PlayTab } from './play.tsx'
import { Player } from './player.tsx'
import { loadSavers, playSettings, savers, saversFailed } from './savers.ts'
import { SettingsTab } from './settings.tsx'
import { shotOf } from './shot.ts'

const names = { Play: baseTexts.play, Settings: baseTexts.settings, Devices: baseTexts.devices }
type Name = keyof typeof names

/** Milliseconds between a device's requests for what to show. */
const pollMs = 30_000

/** The content of a registered screen, polled regularly. */
function DeviceScreen() {
  useSignals()
  const now = deviceState.value
  useEffect(() => {
    void loadDeviceState()
    const timer = setInterval(() => void loadDeviceState(), pollMs)
    const stopWaiting = onRecovery(loadDeviceState)
    return () => {
      clearInterval(timer)
      stopWaiting()
    }
  }, [])
  if (now === null || now === 'waiting') return null
  if (now === 'idle') {
    return (
      <p className="panel max-w-[440px]" role="status">
        {saverTexts.registeredByPhone}
      </p>
    )
  }
  return (
    <Player
      name={`${now.id} ${JSON.stringify(now.filters)} ${now.random}`}
      seconds={now.seconds}
      videos={playSettings.value.videos}
      fetch={async () => (await clientOfDevice().screensavers.next({ params: { id: now.id } })).map(shotOf)}
      onStop={() => go('/')}
    />
  )
}

export function ScreenSaver() {
  useSignals()
  const firstTab: Name = new URLSearchParams(address.value.search).get('showtokens') === 'true' ? 'Devices' : 'Play'
  const [tab, setTab] = useState<Name>(firstTab)
  const who = user.value?.id
  // Another user has other savers.
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends on who is signed in
  useEffect(() => void loadSavers(), [who])
  return (
    <div className="page-screen">
      <h1 className="text-[22px] leading-7 font-semibold mb-3">{baseTexts.screenSaver}</h1>
      {!signedIn.value && paired.value ? (
        <DeviceScreen />
      ) : (
        <Tabs label={saverTexts.screenSaver} names={names} value={tab} onChange={setTab}>
          {savers.value === null && saversFailed.value && (
            <p className="flex flex-wrap items-center gap-3 mb-4">
              {saverTexts.screenSaversNotLoaded}
              <TryAgain again={loadSavers} />
            </p>
          )}
          {tab === 'Play' && <PlayTab />}
          {tab === 'Settings' && <SettingsTab />}
          {tab === 'Devices' && <DevicesTab />}
        </Tabs>
      )}
    </div>
  )
}
