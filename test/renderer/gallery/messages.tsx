import { Image } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../../src/renderer/ui/button.tsx'
import { EmptyState } from '../../../src/renderer/ui/empty-state.tsx'
import { Fact, Facts, HexFact } from '../../../src/renderer/ui/facts.tsx'
import { FailureNote } from '../../../src/renderer/ui/failure-note.tsx'
import { PaymentQr } from '../../../src/renderer/ui/payment/payment-qr.tsx'
import { Skeleton } from '../../../src/renderer/ui/skeleton.tsx'
import { StackedChart } from '../../../src/renderer/ui/stacked-chart.tsx'
import { Toast } from '../../../src/renderer/ui/toast.tsx'

const failure = {
  code: 'service/timeout',
  says: 'The service didn’t reply in time.',
  remedy: 'Try again in a minute.',
} as const
const DAY_MS = 86_400_000
const columns = Array.from({ length: 14 }, (_, day) => ({
  id: String(day),
  name: new Date(Date.UTC(2026, 0, 1) + day * DAY_MS).toISOString().slice(0, 10),
  axis: `Jan ${String(day + 1)}`,
  values: [day, (day * 3) % 5, day % 3, 1],
}))

/** Loading, empty, done and failed states, and the figures. */
export function Messages() {
  const [count, setCount] = useState(0)
  return (
    <>
      <section aria-label="Messages">
        <h2>Messages</h2>
        <div className="gallery-card">
          <Skeleton label="Loading models…" lines={4} />
        </div>
        <div className="gallery-card">
          <EmptyState icon={Image} title="No images yet" description="Describe a picture to generate one.">
            <Button>Write a prompt</Button>
          </EmptyState>
        </div>
        <div className="gallery-card">
          <EmptyState compact title="No matches" />
        </div>
        <div className="gallery-card gallery-toast">
          <Toast
            message={count === 0 ? '“Rivers” deleted.' : `Undone: ${String(count)}`}
            action="Undo"
            onAction={() => setCount(count + 1)}
          />
        </div>
        <div className="gallery-card gallery-toast">
          <Toast message="“Rivers” deleted." action="Undo" busy="Restoring…" onAction={() => undefined} />
        </div>
        <FailureNote failure={failure} isSaved>
          <Button>Try again</Button>
        </FailureNote>
        <FailureNote failure={failure} isSaved refused />
      </section>
      <section aria-label="Figures">
        <h2>Figures</h2>
        <Facts>
          <Fact name="Model">sandbox-large</Fact>
          <HexFact name="Measurement" copies="Copy measurement" hex={'0123456789abcdef'.repeat(4)} />
        </Facts>
        <StackedChart
          label="Cost by model"
          series={['Large', 'Small', 'Vision', 'Other']}
          columns={columns}
          format={(value) => `$${value.toFixed(2)}`}
        />
        <PaymentQr uri="lightning:lnbc1example" title="Invoice" payable={false} />
      </section>
    </>
  )
}
