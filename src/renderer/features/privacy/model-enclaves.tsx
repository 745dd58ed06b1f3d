import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import type { Verdict } from '../../../shared/verdict.ts'
import { useScope } from '../../data/service-scope.tsx'
import { refreshAnswers, useAnswer, type Question } from '../../data/use-answer.ts'
import { api } from '../../ui/api.ts'
import { Fact, Facts } from '../../ui/facts.tsx'
import { formatDateTime } from '../../ui/format/time.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { Section } from '../../ui/view.tsx'
import { useDirect } from '../../ui/status-store.ts'
import { useVerdict } from '../../ui/verdict-store.ts'

const modelEnclaves: Question<readonly Verdict[]> = {
  key: ['model-enclaves'],
  ask: (context) => api.privacy.others(undefined, context),
}

/** Models with separate enclaves, and the last verdict on each enclave. */
export function ModelEnclaves() {
  const scope = useScope()
  const direct = useDirect()
  const verdict = useVerdict((state) => state.verdict)
  // The view already shows why the core doesn't answer.
  const { data: verdicts } = useAnswer(direct ? modelEnclaves : undefined)
  useEffect(() => void refreshAnswers(scope, modelEnclaves.key), [scope, verdict])
  if (!direct || !verdicts || verdicts.length === 0) return null
  return (
    <Section
      title={t`Model enclaves`}
      description={t`These models have enclaves of their own. Sotto verifies each one separately, before the first request to it.`}
    >
      <Facts>
        {verdicts.map((one) => (
          <Fact key={one.enclaveHost} name={one.enclaveHost}>
            <State verdict={one} />
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}

function State({ verdict: { good, failure, validUntil } }: { verdict: Verdict }) {
  if (!good)
    return (
      <>
        <PrivacyMark privacy="refused" />
        <p>{failure ? fromCore(failure.says) : t`Not verified`}</p>
      </>
    )
  const until = formatDateTime(validUntil)
  return t`Verified, valid until ${until}`
}
