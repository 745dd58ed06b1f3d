/** The format that the first line of a plain project file names. */
export const PROJECT_FILE_FORMAT = 'sotto-project'

/** Characters of a file's name that every system accepts. */
const NAME_LENGTH = 60

/**
 * Whether a project file seems to be plain, to ask for a passphrase only if it has one. The core decides when it reads the file.
 * @param head the beginning of the file
 */
export function isPlainProjectFile(head: string): boolean {
  return head.trimStart().startsWith(`{"format":"${PROJECT_FILE_FORMAT}"`)
}

/**
 * A name for the file of a project, from the letters and digits of the project's name.
 * @param name of the project
 */
export function projectFileName(name: string): string {
  const stem = name
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-/, '')
    .slice(0, NAME_LENGTH)
    .replace(/-$/, '')
  return `${stem || 'project'}.sotto-project`
}
