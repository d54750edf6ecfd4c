/** Keeps a fault of one part from taking the whole page away. */
import { Component, type ReactNode } from 'react'
import { Empty } from './empty.tsx'

export class Boundary extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false }

  static getDerivedStateFromError() {
    return { broken: true }
  }

  override render() {
    if (!this.state.broken) return this.props.children
    return (
      <Empty
        title="This did not work"
        actions={
          <button type="button" className="btn btn-primary" onClick={() => location.reload()}>
            Load the page again
          </button>
        }
      >
        The fault is ours. Your pictures are as they were.
      </Empty>
    )
  }
}
