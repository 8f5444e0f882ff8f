/** What the server wrote into the page for its script. The server is ours, and so is the type of what it wrote. */
export function readPageData<Data>(): Data {
  const text = document.getElementById('page-data')?.textContent
  if (text === null || text === undefined) throw new Error('This page carries no data for its script')
  return JSON.parse(text) as Data
}
