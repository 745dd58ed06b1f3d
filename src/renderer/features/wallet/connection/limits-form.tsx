import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { raisings, type SpendingLimitsText } from '../../../../shared/lightning.ts'
import { announce } from '../../../ui/announcer.tsx'
import { Button } from '../../../ui/button.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { Field, Form } from '../../../ui/field.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { useDraft } from '../../../ui/use-draft.ts'
import { readSats } from '../../../ui/format/sats.ts'
import styles from './connection.module.css'
import { Dollars } from './dollars.tsx'
import { limitNames, limitsDraftOf, limitWords, readLimits, type LimitName } from './limits-draft.ts'
import { setLimits } from './wallet-store.ts'

/**
 * The spending limits for Lightning payments from this installation, in sats. 0 allows nothing; a limit can't
 * be unlimited.
 */
export function LimitsForm({ limits }: { limits: SpendingLimitsText }) {
  const { form, draft, set, faults, check, reset } = useDraft(limitsDraftOf(limits), readLimits)
  const read = readLimits(draft)
  const changed = !read.limits || limitNames.some((name) => read.limits[name] !== limits[name])
  const raises = read.limits !== undefined && raisings(limits, read.limits).length > 0
  const save = useAction(async () => {
    const checked = check()
    if (checked.faults) return
    await setLimits(checked.limits)
    announce(t`Limits saved`)
  })
  return (
    <Form ref={form} className={styles.part} onSubmit={() => void save.run()} aria-label={t`Limits`}>
      <h3 className={styles.title}>
        <Trans>Limits (sats)</Trans>
      </h3>
      <div className={styles.limits}>
        {limitNames.map((name) => (
          <Field
            key={name}
            label={limitWords[name].label}
            value={draft[name]}
            onChange={(event) => set({ [name]: event.target.value })}
            inputMode="decimal"
            maxLength={24}
            fault={faults[name]}
            hint={<LimitHint name={name} text={draft[name]} />}
          />
        ))}
      </div>
      {save.failure && <FailureNote failure={save.failure} />}
      <div className={styles.actions}>
        <Button type="submit" disabled={!changed} busy={save.busy && t`Saving…`}>
          <Trans>Save limits</Trans>
        </Button>
        {changed && (
          <Button
            kind="link"
            onClick={() => {
              reset(limitsDraftOf(limits))
              save.clear()
            }}
            disabled={save.busy}
          >
            <Trans>Discard changes</Trans>
          </Button>
        )}
        {raises && (
          <span className={styles.hint} role="status">
            <Trans>To raise a limit, you’ll confirm in a system dialog or your terminal.</Trans>
          </span>
        )}
      </div>
    </Form>
  )
}

function LimitHint({ name, text }: { name: LimitName; text: string }) {
  const msat = readSats(text)
  if (msat === '0') return <strong>{limitWords[name].none}</strong>
  return (
    <>
      {limitWords[name].means}
      {msat !== undefined && <Dollars msat={msat} sentence />}
    </>
  )
}
