import { t } from '@lingui/core/macro'
import { ChevronRight, Search } from 'lucide-react'
import { useState } from 'react'
import type { StepOutcome, VerdictStep } from '../../../shared/verdict.ts'
import { formatCount } from '../../ui/format/number.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { Segments } from '../../ui/segments.tsx'
import { Section } from '../../ui/view.tsx'
import { useVerdict } from '../../ui/verdict-store.ts'
import styles from './checks.module.css'
import { groupSteps, type NumberedStep, type StepGroup } from './step-groups.ts'
import { countWords, OutcomeGlyph, outcomeWord, StepList } from './steps.tsx'

const groupNames: Readonly<Record<StepGroup, string>> = {
  get document() {
    return t`Document`
  },
  get chip() {
    return t`Chip and its certificates`
  },
  get machine() {
    return t`Server state`
  },
  get keys() {
    return t`Certificates and keys`
  },
  get release() {
    return t`Release signature`
  },
  get fresh() {
    return t`Fresh evidence`
  },
}

/** What the checks of a group are about, whether they passed or not. */
const groupSubjects: Readonly<Record<StepGroup, string>> = {
  get document() {
    return t`Format and platform of the evidence`
  },
  get chip() {
    return t`Who issued the chip’s certificates, and whether they’re valid`
  },
  get machine() {
    return t`Debugging, migration and firmware`
  },
  get keys() {
    return t`The keys that the hardware attests`
  },
  get release() {
    return t`Who built the code, and where that was recorded`
  },
  get fresh() {
    return t`Proof that the evidence is new`
  },
}

/** Every check of the verdict in groups, with a filter and a search. */
export function Checks() {
  const steps = useVerdict((state) => state.verdict?.steps)
  const [outcome, setOutcome] = useState<StepOutcome>()
  const [query, setQuery] = useState('')
  if (!steps) return <EmptyState title={t`Nothing verified yet`} />
  const wanted = query.trim().toLowerCase()
  const isSearched = outcome !== undefined || wanted !== ''
  const fits = ({ step }: NumberedStep) =>
    (outcome === undefined || step.outcome === outcome) &&
    `${fromCore(step.title)} ${step.id}`.toLowerCase().includes(wanted)
  const groups = [...groupSteps(steps)]
    .map(([group, members]) => ({ group, members, shown: members.filter(fits) }))
    .filter(({ shown }) => shown.length > 0)
  return (
    <Section title={t`All checks`} description={countWords(steps)}>
      <div className={styles.tools}>
        <Segments
          label={t`Outcome`}
          options={[
            { id: 'all', name: `${t`All`} ${formatCount(steps.length)}` },
            ...outcomesOf(steps).map(([id, count]) => ({
              id,
              name: `${outcomeWord[id]} ${formatCount(count)}`,
            })),
          ]}
          chosen={outcome ?? 'all'}
          onPress={(id) => setOutcome(id === 'all' ? undefined : id)}
        />
        <div className={styles.search}>
          <Search size={16} strokeWidth={1.75} aria-hidden />
          <input
            type="search"
            value={query}
            onChange={(event) => setQuery(event.target.value)}
            placeholder={t`Search checks`}
            aria-label={t`Search checks`}
            autoComplete="off"
            spellCheck={false}
          />
        </div>
      </div>
      {groups.length === 0 && <EmptyState compact title={t`No matches`} />}
      {groups.length > 0 && (
        <div className={styles.groups}>
          {groups.map(({ group, members, shown }) => (
            <Group
              key={`${group}-${String(isSearched)}`}
              group={group}
              members={members}
              shown={shown}
              isOpen={isSearched}
            />
          ))}
        </div>
      )}
    </Section>
  )
}

const outcomes: readonly StepOutcome[] = ['passed', 'not-checked', 'failed', 'not-reached']

/** The outcomes that occur, and failures always, because their absence is news too. */
function outcomesOf(steps: readonly VerdictStep[]): readonly (readonly [StepOutcome, number])[] {
  return outcomes
    .map((outcome) => [outcome, steps.filter((step) => step.outcome === outcome).length] as const)
    .filter(([outcome, count]) => count > 0 || outcome === 'failed')
}

interface GroupProps {
  group: StepGroup
  members: readonly NumberedStep[]
  shown: readonly NumberedStep[]
  isOpen: boolean
}

function Group({ group, members, shown, isOpen }: GroupProps) {
  const passed = members.filter(({ step }) => step.outcome === 'passed').length
  const total = members.length
  return (
    <details className={styles.group} data-group={group} open={isOpen || outcomeOf(members) === 'failed'}>
      <summary className={styles.summary}>
        <ChevronRight className={styles.turn} size={16} strokeWidth={1.75} aria-hidden />
        <h3 className={styles.name}>{groupNames[group]}</h3>
        <span className={styles.subject}>{groupSubjects[group]}</span>
        <span className={styles.count}>{t`${passed} of ${total} passed`}</span>
        <OutcomeGlyph outcome={outcomeOf(members)} />
      </summary>
      <StepList steps={shown} />
    </details>
  )
}

/** The worst outcome of a group. */
function outcomeOf(members: readonly NumberedStep[]): StepOutcome {
  const has = (outcome: StepOutcome) => members.some(({ step }) => step.outcome === outcome)
  return (['failed', 'not-reached', 'not-checked'] as const).find(has) ?? 'passed'
}
