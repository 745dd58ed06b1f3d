import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { api } from '../../ui/api.ts'
import { Button } from '../../ui/button.tsx'
import { View, Section } from '../../ui/view.tsx'
import { go } from '../../ui/route.ts'
import { useStatus } from '../../ui/status-store.ts'
import styles from './changes-page.module.css'
import { parseChangelog, type ChangeKind, type ReleaseNotes } from './parse-changelog.ts'

const kinds: Readonly<Record<ChangeKind, string>> = {
  get added() {
    return t`New`
  },
  get changed() {
    return t`Changed`
  },
  get deprecated() {
    return t`Deprecated`
  },
  get removed() {
    return t`Removed`
  },
  get fixed() {
    return t`Fixed`
  },
  get security() {
    return t`Security`
  },
  get other() {
    return t`Other`
  },
}

/** The changes in this version and in earlier ones, from the changelog of the package. */
export function ChangesPage() {
  const version = useStatus((state) => state.status?.version)
  const [releases, setReleases] = useState<readonly ReleaseNotes[]>()
  useEffect(() => {
    let gone = false
    void import('#changelog')
      .then(
        ({ text }) => parseChangelog(text),
        () => [],
      )
      .then((read) => {
        if (!gone) setReleases(read)
      })
    // Opening this page marks the changes as seen. Without a desktop there is nothing to mark, so a failure
    // doesn't matter.
    api.desktop.changesSeen().catch(() => undefined)
    return () => {
      gone = true
    }
  }, [])
  return (
    <View
      title={t`What’s new`}
      description={
        version !== undefined && <Trans>You’re using Sotto {version}. Release notes are in English.</Trans>
      }
    >
      <div className={styles.back}>
        <Button onClick={() => go({ view: 'settings' })}>
          <Trans>Back to Settings</Trans>
        </Button>
      </div>
      {releases?.map((release) => (
        <Release key={release.version ?? ''} release={release} />
      ))}
      {releases?.length === 0 && (
        <p role="status">
          <Trans>Couldn’t read this version’s changelog.</Trans>
        </p>
      )}
    </View>
  )
}

function Release({ release: { version, date, groups } }: { release: ReleaseNotes }) {
  const title = version ?? t`Unreleased`
  return (
    <Section title={date === null ? title : t`${title}, ${date}`}>
      {groups.map(({ kind, changes }) => (
        <div key={kind} className={styles.group}>
          <h3>{kinds[kind]}</h3>
          <ul lang="en" dir="ltr">
            {changes.map((change, index) => (
              <li key={index}>{withCode(change)}</li>
            ))}
          </ul>
        </div>
      ))}
    </Section>
  )
}

/** Text between two backticks is code; everything else is plain text. */
function withCode(change: string) {
  return change
    .split('`')
    .map((part, index, all) =>
      index % 2 === 1 && index < all.length - 1 ? <code key={index}>{part}</code> : part,
    )
}
