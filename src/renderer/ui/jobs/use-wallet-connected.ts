import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { useService } from '../status-store.ts'

/** Whether a wallet is connected that can pay from here; undefined while it is asked, or cannot be. */
export function useWalletConnected(): boolean | undefined {
  const service = useService()
  const [answer, setAnswer] = useState<{ readonly service: string | undefined; readonly connected: boolean }>()
  useEffect(() => {
    const left = new AbortController()
    api.wallet.get(undefined, { signal: left.signal }).then(
      ({ connection }) => { if (!left.signal.aborted) setAnswer({ service, connected: connection !== null }) },
      () => { if (!left.signal.aborted) setAnswer(undefined) },
    )
    return () => left.abort()
  }, [service])
  return answer?.service === service ? answer?.connected : undefined
}
