/** Error boundaries: an error affects only one part of the page. */
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
  /** Identifies the content; when it changes, the error is forgotten. */
  contentKey: string
  children: ReactNode
}

interface State {
  fault: { error: unknown } | null
  contentKey: string
}

/** Shows what went wrong in place of a part that failed. */
export class Boundary extends Component<Props, State> {
  override state: State = { fault: null, contentKey: this.props.contentKey }

  static getDerivedStateFromError(error: unknown) {
    return { fault: { error } }
  }

  static getDerivedStateFromProps({ contentKey }: Props, state: State): State | null {
    return contentKey === state.contentKey ? null : { fault: null, contentKey }
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
        {shellTexts.errorHint}
      </Empty>
    )
  }
}

/** Reports that a part failed, and omits it; the rest of the page works. */
export class OptionalPart extends Component<{ children: ReactNode; onFault?: () => void }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override componentDidCatch(error: Error) {
    retryFailedComponents()
    // `report` takes a TypeError for an outage, so an error in the page's own code is reported as a plain Error.
    report(error instanceof NotLoaded ? error.cause : new Error(error.message), shellTexts.thisCouldNotBeOpened)
    this.props.onFault?.()
  }

  override render() {
    return this.state.broken ? null : this.props.children
  }
}
