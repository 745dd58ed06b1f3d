import { t } from '@lingui/core/macro'
import { CircleUser } from 'lucide-react'
import { useEffect, useState } from 'react'
import { AppearanceSection } from '../features/settings/appearance-section.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { Menu } from '../ui/menu.tsx'
import { useAction } from '../ui/use-action.ts'
import { ActivityView } from './activity/activity-view.tsx'
import styles from './frame.module.css'
import { GroupsView } from './groups/groups-view.tsx'
import { KeysView } from './keys/keys-view.tsx'
import { MembersView } from './members/members-view.tsx'
import { memberName, roleNames, viewNames } from './labels.ts'
import { signOut } from './team-api.ts'
import type { Session } from './team-answers.ts'
import { addressOf, parseTeamView, useFragment, viewsOf } from './team-route.ts'

/** The views of the person's role, and their account. */
export function Frame({ session }: { session: Session }) {
  const { member } = session
  const view = parseTeamView(useFragment(), member.role)
  const title = viewNames[view]
  useEffect(() => {
    document.title = `${title} · Sotto`
  }, [title])
  return (
    <>
      <header className={styles.bar}>
        <span className={styles.brand}>Sotto</span>
        <nav className={styles.views} aria-label={t`Views`}>
          {viewsOf(member.role).map((each) => (
            <a
              key={each}
              className={styles.view}
              href={addressOf(each)}
              aria-current={each === view ? 'page' : undefined}
            >
              {viewNames[each]}
            </a>
          ))}
        </nav>
        <Account session={session} />
      </header>
      <main id="main" className={styles.main} tabIndex={0} aria-label={title}>
        {view === 'members' && <MembersView me={member} />}
        {view === 'groups' && <GroupsView me={member} />}
        {view === 'keys' && <KeysView session={session} />}
        {view === 'activity' && <ActivityView me={member} />}
      </main>
    </>
  )
}

function Account({ session: { member } }: { session: Session }) {
  const [appearance, setAppearance] = useState(false)
  const leave = useAction(signOut)
  const name = memberName(member)
  return (
    <div className={styles.account}>
      <span className={styles.person}>
        <bdi className={styles.name}>{name}</bdi>
        <span className={styles.role}>{roleNames[member.role]}</span>
      </span>
      <Menu
        label={t`Account of ${name}`}
        sign={<CircleUser size={18} strokeWidth={1.75} aria-hidden />}
        items={[
          { name: t`Change appearance`, choose: () => setAppearance(true) },
          { name: t`Sign out`, choose: () => void leave.run() },
        ]}
      />
      <Dialog
        open={appearance || leave.failure !== undefined}
        onClose={() => {
          setAppearance(false)
          leave.clear()
        }}
        title={leave.failure ? t`Sign-out failed` : t`Appearance and language`}
      >
        {leave.failure ? <FailureNote failure={leave.failure} /> : <AppearanceSection />}
      </Dialog>
    </div>
  )
}
