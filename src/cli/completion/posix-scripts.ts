import { allCommands, type CommandOutline } from './command-outline.ts'

/** Quotes any text as a single word for a POSIX-like shell. */
export function quoteForShell(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Finds the command that the words before the cursor name: sets `at` to its path.
 * @param typed those words, in the shell's own form
 */
function findCommand(commands: readonly CommandOutline[], typed: string): string {
  const paths = commands.slice(1).map(({ path }) => quoteForShell(path))
  return `  at=sotto
  for word in ${typed}; do
    case "$at $word" in
      ${paths.join('|')}) at="$at $word" ;;
    esac
  done`
}

function optionsWithValues(command: CommandOutline): string {
  return command.options
    .filter(({ takesValue }) => takesValue)
    .map(({ long, short, choices }) => {
      const names = [long, ...(short === undefined ? [] : [short])].map((name) =>
        quoteForShell(`${command.path} ${name}`),
      )
      return `    ${names.join('|')}) values=${quoteForShell(choices.join(' '))}; takes=1 ;;\n`
    })
    .join('')
}

/** Renders the completion script for bash 3.2 and newer. It needs no other package. */
export function bashScript(root: CommandOutline): string {
  const commands = allCommands(root)
  const cases = commands.map((command) => {
    const options = command.options.flatMap(({ long, short }) =>
      short === undefined ? [long] : [long, short],
    )
    const offered = [...command.commands.map(({ name }) => name), ...command.choices]
    return `    ${quoteForShell(command.path)}) options=${quoteForShell(options.join(' '))}; names=${quoteForShell(offered.join(' '))} ;;\n`
  })
  return `# Completion of sotto for bash. To install it: sotto completion bash > ~/.local/share/bash-completion/completions/sotto
_sotto() {
  local at word values takes options names cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  COMPREPLY=()
${findCommand(commands, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"')}
  case "$at $prev" in
${commands.map(optionsWithValues).join('')}  esac
  case "$at" in
${cases.join('')}  esac
  if [ -n "$takes" ]; then names=$values
  elif [ "\${cur#-}" != "$cur" ]; then names=$options
  fi
  if [ -n "$names" ]; then COMPREPLY=($(compgen -W "$names" -- "$cur"))
  else compopt -o default 2>/dev/null
  fi
}
complete -F _sotto sotto
`
}

/** Renders the completion script for zsh 5. */
export function zshScript(root: CommandOutline): string {
  const commands = allCommands(root)
  const entry = (name: string, description: string): string =>
    quoteForShell(`${name.replaceAll(':', '\\:')}:${description.replaceAll('\n', ' ')}`)
  const cases = commands.map((command) => {
    const options = command.options.map(({ long, description }) => entry(long, description))
    const offered = [
      ...command.commands.map(({ name, summary }) => entry(name, summary)),
      ...command.choices.map((choice) => entry(choice, '')),
    ]
    return `    ${quoteForShell(command.path)}) options=(${options.join(' ')}); names=(${offered.join(' ')}) ;;\n`
  })
  return `#compdef sotto
# Completion of sotto for zsh. To install it, write it to a file _sotto in a folder of $fpath.
_sotto() {
  local at word values takes
  local -a options names
${findCommand(commands, '"${(@)words[2,CURRENT-1]}"')}
  case "$at \${words[CURRENT-1]}" in
${commands.map(optionsWithValues).join('')}  esac
  case "$at" in
${cases.join('')}  esac
  if [[ -n $takes ]]; then
    if [[ -n $values ]]; then names=(\${=values}); _describe value names; else _files; fi
  elif [[ \${words[CURRENT]} == -* ]]; then _describe -o option options
  elif (( \${#names} )); then _describe command names
  else _files
  fi
}
if [ "\${funcstack[1]}" = _sotto ]; then _sotto "$@"; else compdef _sotto sotto; fi
`
}
