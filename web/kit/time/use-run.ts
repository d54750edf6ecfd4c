/** An effect for asynchronous work; its signal is aborted when a dependency changes or the component unmounts. */
import { type DependencyList, useEffect } from 'react'

export function useRun(run: (signal: AbortSignal) => unknown, dependencies: DependencyList): void {
  useEffect(() => {
    const controller = new AbortController()
    void run(controller.signal)
    return () => controller.abort()
    // biome-ignore lint/correctness/useExhaustiveDependencies: the caller lists them
  }, dependencies)
}
