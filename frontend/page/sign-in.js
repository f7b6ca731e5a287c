// The place within the workspace page (#/…): browsers do not send it to a server, so the form does.
document.querySelector('[name=fragment]').value = location.hash
