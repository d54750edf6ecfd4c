/** The page: frame, screen, overlays. */
import { useSignals } from '@preact/signals-react/runtime'
import { Suspense, useEffect } from 'react'
import { Route, Switch } from 'wouter'
import { product } from '../schema/limits.ts'
import { albumsPart, loadAlbumsStyle } from './albums/part.ts'
import { address } from './app/address.ts'
import { filter } from './app/current-filter.ts'
import { accountDialog, dialog, openLogin } from './app/dialogs.ts'
import { runningWork } from './app/jobs/work.ts'
import { pluginTitles } from './app/plugin-slots.ts'
import { firstStart, runtime } from './app/runtime.ts'
import { droppedWorkCount, signedIn } from './app/session.ts'
import { useGlobalKeys } from './app/use-global-keys.ts'
import { Home } from './gallery/home.tsx'
import guestStyle from './guest/guest.css' with { type: 'file' }
import { isDeadLinkShown } from './items/dead-link.ts'
import { closeViewer, openId, screenBelow } from './items/open-item.ts'
import { closeMenu, shownMenu } from './items/selection/item-menu-state.ts'
import { selecting, selectProgress } from './items/selection/selection.ts'
import { slideshow, stopSlideshow } from './items/selection/slideshow.ts'
import { barsHidden, watchBars } from './items/sliding-bars.ts'
import { later } from './kit/later.tsx'
import { loadStyle } from './kit/load-style.ts'
import { OutOfReach } from './kit/out-of-reach.tsx'
import { frame, phone } from './kit/viewport.ts'
import { routeOf } from './routes.ts'
import { screens } from './screens.ts'
import { AppBar } from './shell/app-bar.tsx'
import { BottomBar } from './shell/bottom-bar.tsx'
import { Boundary, OptionalPart } from './shell/boundary.tsx'
import { Dialogs, loadDialogs } from './shell/dialogs.tsx'
import { Rail } from './shell/rail.tsx'
import { Sidebar } from './shell/sidebar.tsx'
import { tryAgain } from './shell/start.ts'
import { Toasts } from './shell/toasts.tsx'
import { screenName } from './texts/names.ts'
import { uploadsPart } from './uploads/part.ts'

const loadViewer = async () => (await import('./viewer/load.ts')).loadViewer()
const Viewer = later(loadViewer)
const loadBar = () => import('./gallery/selection-bar.tsx')
const SelectionBar = later(async () => (await loadBar()).SelectionBar)
const AlbumBar = later(
  async () => (await Promise.all([import('./albums/album-bar.tsx'), loadAlbumsStyle()]))[0].AlbumBar,
)
const GuestPage = later(async () => {
  const [{ GuestPage: page }] = await Promise.all([import('./guest/guest-page.tsx'), loadStyle(guestStyle)])
  return page
})
const DeadLink = later(async () => {
  const [{ DeadLink: page }] = await Promise.all([import('./guest/dead-link.tsx'), loadStyle(guestStyle)])
  return page
})
const FirstStart = later(async () => {
  const [{ FirstStart: page }] = await Promise.all([import('./account/first-start.tsx'), loadStyle(guestStyle)])
  return page
})
const Slideshow = later(async () => (await import('./saver/slideshow.tsx')).Slideshow)
const loadMenu = () => import('./items/selection/item-menu.tsx')
const ItemMenu = later(async () => (await loadMenu()).ItemMenu)

function Screen() {
  useSignals()
  // A picture that was opened by its own address has no screen below it.
  const path = openId.value === null ? address.value.path : screenBelow.value
  if (path === null) return null
  return (
    <Switch key={droppedWorkCount.value} location={path}>
      {Object.entries(screens).map(([path, Shown]) => (
        <Route key={path} path={path}>
          <Shown />
        </Route>
      ))}
      <Route>
        <Home />
      </Route>
    </Switch>
  )
}

/** The selection is kept on other screens, but the selection bar belongs to the gallery. */
function hasSelectionBar(): boolean {
  const { name } = routeOf(address.value.path)
  if (name !== 'Home' && name !== 'item') return false
  return selecting.value || selectProgress.value !== null || runningWork.value !== null
}

/** The bottom bar of a phone, whose place the actions of a selection or an album take. */
function PhoneFoot({ hasSelection }: { hasSelection: boolean }) {
  useSignals()
  const isAtAlbum = routeOf(address.value.path).name === 'Home' && filter.value.album !== 0
  if (!hasSelection && !isAtAlbum) return <BottomBar />
  return (
    <OptionalPart>
      <Suspense fallback={<div className="bottom-bar" />}>
        {hasSelection ? <SelectionBar /> : <AlbumBar otherwise={<BottomBar />} />}
      </Suspense>
    </OptionalPart>
  )
}

function Frame() {
  useSignals()
  const bar = hasSelectionBar()
  return (
    <div ref={watchBars} className="frame" data-away={barsHidden.value || undefined}>
      <div className="bars">
        <AppBar />
      </div>
      {frame.value === 'sidebar' && <Sidebar />}
      {frame.value === 'rail' && <Rail />}
      <main>
        <Boundary contentKey={address.value.path}>
          <Suspense fallback={null}>
            <Screen />
          </Suspense>
        </Boundary>
        {bar && !phone.value && (
          <OptionalPart>
            <Suspense fallback={null}>
              <SelectionBar />
            </Suspense>
          </OptionalPart>
        )}
      </main>
      {phone.value && <PhoneFoot hasSelection={bar} />}
    </div>
  )
}

function Playing() {
  useSignals()
  return (
    slideshow.value !== null && (
      <OptionalPart onFault={stopSlideshow}>
        <Suspense fallback={<div className="viewer-ground" />}>
          <Slideshow {...slideshow.value} />
        </Suspense>
      </OptionalPart>
    )
  )
}

/** A protected screen asks for the login but is still rendered, because the server protects the data. */
function useGuard(): void {
  const route = routeOf(address.value.path)
  // The first start has its own login.
  const needsLogin = route.requiresAuth === true && !signedIn.value && runtime.value !== null && !firstStart.value
  useEffect(() => {
    if (needsLogin && dialog.value === null && accountDialog.value === null) openLogin({ guard: true })
  }, [needsLogin])
}

/** The page without the frame that is to be shown: of a link, of a dead one, or the first start. Null: the frame. */
function bareScreen() {
  if (address.value.path.startsWith('/link/')) return GuestPage
  if (signedIn.value) return null
  if (firstStart.value) return FirstStart
  return isDeadLinkShown.value ? DeadLink : null
}

export function App() {
  useSignals()
  useGlobalKeys()
  useGuard()
  const name = pluginTitles.value.get(address.value.path) ?? routeOf(address.value.path).name
  useEffect(() => {
    document.title = name === 'Home' || name === 'item' ? product : `${screenName(name)} · ${product}`
  }, [name])
  // The viewer, the bar, the menu and the login are needed soon, so they are preloaded shortly after the start.
  useEffect(() => {
    const timer = setTimeout(
      () => void Promise.all([loadViewer(), loadBar(), loadMenu(), loadDialogs()]).catch(() => {}),
      1500,
    )
    return () => clearTimeout(timer)
  }, [])
  if (runtime.value === null) {
    return (
      <>
        <OutOfReach again={tryAgain} />
        <Toasts />
      </>
    )
  }
  const Bare = bareScreen()
  if (Bare !== null) {
    return (
      <>
        <Boundary contentKey={address.value.path}>
          <Suspense fallback={null}>
            <Bare />
          </Suspense>
        </Boundary>
        {Bare === DeadLink && <Dialogs />}
        <Playing />
        <Toasts />
      </>
    )
  }
  return (
    <>
      <Frame />
      {openId.value !== null && (
        <OptionalPart onFault={closeViewer}>
          <Suspense fallback={<div className="viewer-ground" />}>
            <Viewer />
          </Suspense>
        </OptionalPart>
      )}
      {[uploadsPart.value?.Uploads, albumsPart.value?.AlbumDialogs].map(
        Shown =>
          Shown !== undefined && (
            <OptionalPart key={Shown.name}>
              <Shown />
            </OptionalPart>
          ),
      )}
      <Dialogs />
      <Playing />
      {shownMenu.value !== null && (
        <OptionalPart onFault={closeMenu}>
          <Suspense fallback={null}>
            <ItemMenu />
          </Suspense>
        </OptionalPart>
      )}
      <Toasts />
    </>
  )
}
