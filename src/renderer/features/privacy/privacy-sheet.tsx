import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Cpu, Eye, EyeOff, Server, User, type LucideIcon } from 'lucide-react'
import type { Privacy } from '../../../shared/privacy.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import type { Verdict } from '../../../shared/verdict.ts'
import { Button } from '../../ui/button.tsx'
import { useCurrentChat, type CurrentChat } from '../../ui/current-chat.ts'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Fact, Facts } from '../../ui/facts.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { formatCount } from '../../ui/format/number.ts'
import { formatAge, formatDuration } from '../../ui/format/time.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { PrivacyGlyph, privacyWord } from '../../ui/privacy-mark.tsx'
import { go } from '../../ui/route.ts'
import { sealOf, showPrivacySheet, type SheetSubject } from '../../ui/seal.ts'
import { useServiceEnclave } from '../../ui/service-enclave-store.ts'
import { useDirect } from '../../ui/status-store.ts'
import { useNow } from '../../ui/use-now.ts'
import { verdictState, type VerdictState } from '../../ui/verdict-state.ts'
import { useVerdict, verifyNow } from '../../ui/verdict-store.ts'
import { consentWords } from './release-words.ts'
import styles from './privacy-sheet.module.css'

/** Who can read the next message, and the verification that this rests on. */
export function PrivacySheet({ subject }: { subject: SheetSubject }) {
  const { verdict, verifying, failure } = useVerdict((state) => state)
  const now = useNow(1000)
  const currentChat = useCurrentChat()
  const isPrivate = isPrivateModel(subject.model)
  const state = verdictState(verdict, now)
  // The sheet stays open while a verification runs, so it follows the verdict.
  const privacy = sealOf({
    isPrivate,
    isBlocked: subject.privacy === 'refused' && !(isPrivate && verdict),
    verdict: state,
    currentChat,
  })
  const close = () => showPrivacySheet(undefined)
  const shown = useServiceEnclave(({ view }) => view?.verdict)
  const relied = isPrivate ? verdict : privacy === 'relayed' ? shown : undefined
  return (
    <Dialog open sheet onClose={close} title={t`Privacy`}>
      <div className={styles.state} data-privacy={privacy}>
        <PrivacyGlyph privacy={privacy} size={40} />
        <div>
          <p className={styles.word}>{privacyWord[privacy]}</p>
          <p>{sentenceOf(privacy, isPrivate, state, verdict)}</p>
        </div>
      </div>
      <section className={styles.section} aria-label={t`Readers of this chat`}>
        <h3>
          <Trans>Readers of this chat</Trans>
        </h3>
        <ul className={styles.readers}>
          <Readers privacy={privacy} currentChat={currentChat} />
        </ul>
      </section>
      {relied && (
        <section className={styles.section} aria-label={t`Verification`}>
          <h3>
            <Trans>Verification</Trans>
          </h3>
          <VerdictSummary verdict={relied} now={now} />
        </section>
      )}
      {failure && <FailureNote failure={failure} className={styles.section} />}
      {isPrivate && (
        <p className={styles.limit}>
          <Trans>
            This doesn’t prove which model runs, or that a reply is correct. The report lists every limit.
          </Trans>
        </p>
      )}
      <DialogActions>
        {isPrivate && (
          <Button onClick={() => void verifyNow()} busy={verifying && t`Verifying…`}>
            {verdict ? <Trans>Verify again</Trans> : <Trans>Verify now</Trans>}
          </Button>
        )}
        <Button
          kind="primary"
          onClick={() => {
            close()
            go({ view: 'privacy' })
          }}
        >
          <Trans>Open report</Trans>
        </Button>
      </DialogActions>
    </Dialog>
  )
}

function sentenceOf(
  privacy: Privacy,
  isPrivate: boolean,
  state: VerdictState,
  verdict: Verdict | null | undefined,
): string {
  switch (privacy) {
    case 'sealed':
      return state === 'verified'
        ? t`Your messages are sealed to the verified enclave.`
        : t`Sotto verifies the enclave before it sends. If that fails, nothing is sent.`
    case 'relayed':
      return t`Your messages are sealed to the service’s enclave, which passes them to the model’s provider.`
    case 'forwarded':
      return t`Your messages aren’t sealed. The service passes them to the model’s provider.`
    case 'refused':
      return isPrivate && verdict?.failure
        ? (consentWords(verdict)?.says ??
            `${fromCore(verdict.failure.says)} ${t`Nothing is sent until verification succeeds.`}`)
        : t`Nothing is sent.`
  }
}

function Readers({ privacy, currentChat }: { privacy: Privacy; currentChat: CurrentChat }) {
  const direct = useDirect()
  const you = <Reader icon={User} name={t`You`} place={t`This computer`} reads />
  if (privacy === 'refused') return you
  if (privacy === 'sealed')
    return (
      <>
        {you}
        <Reader
          icon={Server}
          name={direct ? t`Provider` : t`Service`}
          place={t`Passes sealed data on`}
          reads={false}
        />
        <Reader icon={Cpu} name={t`Enclave`} place={t`Verified before anything is sent`} reads />
      </>
    )
  const reads = privacy === 'forwarded'
  return (
    <>
      {you}
      <Reader
        icon={Server}
        name={t`Service`}
        place={
          reads
            ? t`Passes your messages on`
            : currentChat.mayForward
              ? t`Can read if its enclave can’t be verified`
              : t`Passes sealed data to its enclave`
        }
        reads={reads}
      />
      <Reader icon={Cpu} name={t`Model’s provider`} place={t`Runs the model`} reads />
    </>
  )
}

interface ReaderProps {
  icon: LucideIcon
  name: string
  place: string
  reads: boolean
}

function Reader({ icon: Icon, name, place, reads }: ReaderProps) {
  const Sign = reads ? Eye : EyeOff
  return (
    <li className={styles.reader} data-reads={reads}>
      <span className={styles.disc}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </span>
      <span className={styles.who}>
        <span>{name}</span>
        <span className={styles.place}>{place}</span>
      </span>
      <span className={styles.reads}>
        <Sign size={14} strokeWidth={1.75} aria-hidden />
        {reads ? t`Can read` : t`Can’t read`}
      </span>
    </li>
  )
}

function VerdictSummary({ verdict, now }: { verdict: Verdict; now: number }) {
  const passed = verdict.steps.filter(({ outcome }) => outcome === 'passed').length
  const age = formatAge(verdict.verifiedAt, now)
  const isValid = verdict.good && now < verdict.validUntil
  return (
    <Facts>
      <Fact name={verdict.good ? t`Verified` : t`Failed`}>
        {age}
        {isValid && `, ${validWords(formatDuration(verdict.validUntil - now))}`}
        {verdict.good && !isValid && `, ${t`expired`}`}
      </Fact>
      <Fact name={t`Enclave host`}>{verdict.enclaveHost}</Fact>
      {verdict.platform !== undefined && <Fact name={t`Platform`}>{verdict.platform}</Fact>}
      {verdict.good && verdict.release && <Fact name={t`Release`}>{verdict.release.tag}</Fact>}
      <Fact name={t`Checks`}>{checksWords(formatCount(passed), formatCount(verdict.steps.length))}</Fact>
      {verdict.trust === 'sandbox' && (
        <Fact name={t`Checked against`}>{t`Demo roots, which prove nothing about real hardware`}</Fact>
      )}
    </Facts>
  )
}

function validWords(left: string): string {
  return t`valid for ${left}`
}

function checksWords(passed: string, all: string): string {
  return t`${passed} of ${all} passed`
}
