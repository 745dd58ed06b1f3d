import { t } from '@lingui/core/macro'
import type { Receipt } from '../../shared/receipt.ts'
import { Fact, Facts, HexFact } from './facts.tsx'
import styles from './receipt-routing.module.css'

type UsedTool = NonNullable<Receipt['tools']>[number]

const outcomeWord: Readonly<Record<UsedTool['outcome'], string>> = {
  get result() {
    return t`Done`
  },
  get error() {
    return t`Failed`
  },
  get unknown() {
    return t`It isn’t known whether this call ran.`
  },
}

/** Which tools got arguments from the model, and which results it got, as digests. */
export function ReceiptTools({ tools }: { tools: readonly UsedTool[] }) {
  return (
    <section className={styles.routing} aria-label={t`Tool calls`}>
      <h3>{t`Tool calls`}</h3>
      {tools.map(({ server, tool, outcome, argumentsDigest, resultDigest }, index) => (
        <Facts key={index}>
          <Fact name={t`Tool`}>
            <code>{server === undefined ? tool : `${server} › ${tool}`}</code>
          </Fact>
          <Fact name={t`Outcome`}>{outcomeWord[outcome]}</Fact>
          {argumentsDigest !== undefined && (
            <HexFact name={t`Arguments, SHA-256`} copies={t`Copy arguments, SHA-256`} hex={argumentsDigest} />
          )}
          {resultDigest !== undefined && (
            <HexFact name={t`Result, SHA-256`} copies={t`Copy result, SHA-256`} hex={resultDigest} />
          )}
        </Facts>
      ))}
    </section>
  )
}
