/** Error boundary of a plugin's components: reports a failure and shows it in their place. */
import { Component, type ReactNode } from 'react'
import { baseTexts } from '../texts/base.ts'
import { showError } from './messages.ts'

interface Props {
  name: string
  children: ReactNode
  renderFailure: (again: () => void) => ReactNode
}

export class PluginBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override componentDidCatch(error: unknown) {
    showError(baseTexts.pluginFailed({ name: this.props.name }), error instanceof Error ? error.message : String(error))
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return this.props.renderFailure(() => this.setState({ failed: false }))
  }
}
