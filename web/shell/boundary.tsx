/** An error boundary that limits an error to one part of the page. */
import { Component, type ReactNode } from 'react'
import { outage } from '../api.ts'
import { onRecovery } from '../app/loading/recovery.ts'
import { report } from '../app/messages.ts'
import { Button } from '../kit/button.tsx'
import { Empty } from '../kit/empty.tsx'
import { NotLoaded, retryFailedComponents } from '../kit/later.tsx'
import { OutOfReach } from '../kit/out-of-reach.tsx'
import { shellTexts } from '../texts/shell.ts'

interface Props {
  /** The key of the content; a new key resets the error. */
  place: string
  children: ReactNode
}

interface State {
  fault: { error: unknown } | null
  place: string
}

export class Boundary extends Component<Props, State> {
  override state: State = { fault: null, place: this.props.place }

  static getDerivedStateFromError(error: unknown) {
    return { fault: { error } }
  }

  static getDerivedStateFromProps({ place }: Props, state: State) {
    return place === state.place ? null : { fault: null, place }
  }

  #stopWaiting = () => {}

  override componentDidMount() {
    this.#stopWaiting = onRecovery(() => this.state.fault?.error instanceof NotLoaded && this.setState({ fault: null }))
  }

  override componentWillUnmount() {
    this.#stopWaiting()
  }

  override componentDidCatch(error: Error) {
    retryFailedComponents()
    if (error instanceof NotLoaded) outage.report()
  }

  override render() {
    const { fault } = this.state
    if (fault === null) return this.props.children
    if (fault.error instanceof NotLoaded)
      return <OutOfReach again={({ quiet }) => quiet || this.setState({ fault: null })} />
    return (
      <Empty
        title={shellTexts.somethingWentWrong}
        actions={<Button look="primary" text={shellTexts.loadThePageAgain} onClick={() => location.reload()} />}
      >
        {shellTexts.thisIsAnError}
      </Empty>
    )
  }
}

/** Reports and omits a part that failed; the page continues without it. */
export class Aside extends Component<{ children: ReactNode; onFault?: () => void }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: Error) {
    retryFailedComponents()
    // An error of the page's code is no outage, even if it is a TypeError, so report it as a plain Error.
    report(error instanceof NotLoaded ? error.cause : new Error(error.message), shellTexts.thisCouldNotBeOpened)
    this.props.onFault?.()
  }

  override render() {
    return this.state.broken ? null : this.props.children
  }
}
