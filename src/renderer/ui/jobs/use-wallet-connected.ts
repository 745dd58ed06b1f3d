import { useEffect } from 'react'
import { api } from '../api.ts'
import { useServiceState } from '../use-service-state.ts'

/** Whether a wallet is connected that can pay from here; undefined while it is asked, or cannot be. */
export function useWalletConnected(): boolean | undefined {
  const [connected, setConnected] = useServiceState<boolean>()
  useEffect(() => {
    const left = new AbortController()
    api.wallet.get(undefined, { signal: left.signal }).then(
      ({ connection }) => {
        if (!left.signal.aborted) setConnected(connection !== null)
      },
      () => {
        if (!left.signal.aborted) setConnected(undefined)
      },
    )
    return () => left.abort()
  }, [setConnected])
  return connected
}
