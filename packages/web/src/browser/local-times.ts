/** Writes every `<time data-style>` anew in the time zone of whoever looks: the server only knows its own. */
export function showLocalTimes(root: ParentNode = document): void {
  for (const element of root.querySelectorAll<HTMLTimeElement>('time[data-style]')) {
    const date = new Date(element.dateTime)
    if (Number.isNaN(date.getTime())) continue
    const dateStyle = element.dataset.style === 'full' ? 'full' : 'medium'
    const format = new Intl.DateTimeFormat(document.documentElement.lang, { dateStyle, timeStyle: 'short' })
    element.textContent = format.format(date)
  }
}
