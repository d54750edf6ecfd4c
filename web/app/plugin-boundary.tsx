/** Error boundary of a plugin's components: a failure is reported and shown in their place. */
import { Component, type ReactNode } from 'react'
import { baseTexts } from '../texts/base.ts'
import { fault } from './messages.ts'

interface Props {
  name: string
  children: ReactNode
  broken: (again: () => void) => ReactNode
}

export class PluginBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    fault(baseTexts.pluginFailed({ name: this.props.name }), error instanceof Error ? error.message : String(error))
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return this.props.broken(() => this.setState({ failed: false }))
  }
}
