import { useEffect } from 'react'
import { useStatus } from '../../ui/status-store.ts'
import { Room } from '../../ui/room.tsx'
import { refreshVerdict } from '../../ui/verdict-store.ts'
import { FireDrill } from './fire-drill.tsx'
import { NotProven } from './not-proven.tsx'
import { Receipts } from './receipts.tsx'
import { Steps } from './steps.tsx'
import { VerdictPanel } from './verdict-panel.tsx'

/** What was proven, step by step, what was not, and what became of every request. */
export function PrivacyRoom() {
  const sandbox = useStatus((state) => state.status?.service.kind === 'sandbox')
  useEffect(() => void refreshVerdict(), [])
  return (
    <Room title="Privacy" says="Before anything is sealed, the enclave has to prove which code its hardware runs, and that the key is its own. This is that proof, judged on this machine.">
      <VerdictPanel />
      <NotProven />
      <Steps />
      {sandbox && <FireDrill />}
      <Receipts />
    </Room>
  )
}
