import { useAnswer } from '../../data/use-answer.ts'
import { api } from '../api.ts'

/** Whether a wallet is connected that can pay from here; undefined while that is unknown. */
export function useWalletConnected(): boolean | undefined {
  const { data } = useAnswer(
    {
      key: ['wallet-connected'],
      ask: async (context) => (await api.wallet.get(undefined, context)).connection !== null,
    },
    { transient: true },
  )
  return data
}
