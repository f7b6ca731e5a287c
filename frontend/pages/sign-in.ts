// Browsers do not send the fragment (#/…, the place within the page) to the server, so the form does.
const fragment = document.querySelector<HTMLInputElement>('[name=fragment]')
if (fragment) fragment.value = location.hash
