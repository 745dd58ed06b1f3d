import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { purchaseStatus } from '../../../../shared/purchase-status.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Form } from '../../../ui/field.tsx'
import { PrivacyMark, privacyMeaning } from '../../../ui/privacy-mark.tsx'
import { useStatus } from '../../../ui/status-store.ts'
import { useAction } from '../../../ui/use-action.ts'
import { useDraft } from '../../../ui/use-draft.ts'
import { useNow } from '../../../ui/use-now.ts'
import { DataFields } from './data-fields.tsx'
import { MediaFields } from './media-fields.tsx'
import { emptyDraft, readDraft } from './purchase-draft.ts'
import { purchaseList, quotePurchase } from './purchase-store.ts'
import type { Endpoint } from './purchase-words.ts'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import styles from './purchases.module.css'

const kinds: readonly { readonly endpoint: Endpoint; readonly name: string; readonly type?: string }[] = [
  {
    endpoint: 'images/generations',
    get name() {
      return t`Image`
    },
    type: 'image',
  },
  {
    endpoint: 'images/edits',
    get name() {
      return t`Image edit`
    },
    type: 'image',
  },
  {
    endpoint: 'videos',
    get name() {
      return t`Video`
    },
    type: 'video',
  },
  {
    endpoint: 'data',
    get name() {
      return t`Data`
    },
  },
]

/** Maximum number of images of one request (specification, Limits). */
const mostImages = { A: 10, B: 4 } as const

/** The form of a purchase. It requests a price first, which costs nothing. */
export function PurchaseForm({ onQuoted }: { onQuoted: (purchaseId: string) => void }) {
  const revision = useStatus((state) => state.status?.service.revision) ?? 'B'
  const { form, draft, set, faults, check, reset } = useDraft(emptyDraft, (entered) =>
    readDraft(entered, mostImages[revision]),
  )
  const now = useNow(15_000)
  // The next step is then to pay it.
  const hasQuote =
    useScopedState(purchaseList.state).items?.some((each) => purchaseStatus(each, now) === 'quoted') === true
  const offered = kinds.filter(({ endpoint }) => revision === 'B' || endpoint !== 'images/edits')
  const quote = useAction(async () => {
    const read = check()
    if (!read.faults) onQuoted((await quotePurchase(read.ask)).id)
  })
  const choose = (endpoint: Endpoint) => {
    quote.clear()
    reset({ ...draft, endpoint, ...(typeOf(draft.endpoint) !== typeOf(endpoint) && { model: '' }) })
  }
  return (
    <Form
      ref={form}
      className={styles.form}
      onSubmit={() => void quote.run()}
      aria-label={t`Pay per request`}
    >
      <RadioGroup
        label={t`What to buy`}
        name="purchase-kind"
        options={offered.map(({ endpoint, name }) => ({ id: endpoint, name, disabled: quote.busy }))}
        chosen={draft.endpoint}
        onChoose={choose}
      />
      {draft.endpoint === 'data' ? (
        <DataFields draft={draft} faults={faults} set={set} />
      ) : (
        <MediaFields
          key={draft.endpoint}
          draft={draft}
          faults={faults}
          set={set}
          type={typeOf(draft.endpoint)}
          mostImages={mostImages[revision]}
        />
      )}
      <p className={styles.privacy}>
        <PrivacyMark privacy="forwarded" /> <span>{privacyMeaning.forwarded}</span>
      </p>
      {quote.failure && <FailureNote failure={quote.failure} />}
      <div className={styles.actions}>
        <Button
          type="submit"
          kind={hasQuote ? 'secondary' : 'primary'}
          busy={quote.busy && t`Loading price…`}
        >
          <Trans>Get price</Trans>
        </Button>
        <span className={styles.hint}>
          <Trans>This sends your request to the service to get a price. Nothing is paid yet.</Trans>
        </span>
      </div>
    </Form>
  )
}

/** The type of the models that answer the endpoint. */
function typeOf(endpoint: Endpoint): string | undefined {
  return kinds.find((kind) => kind.endpoint === endpoint)?.type
}
