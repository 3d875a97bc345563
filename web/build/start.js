(function () {
  var root = document.documentElement;
  var read = function (key) {
    try {
      return JSON.parse(localStorage.getItem(key) || '{}') || {};
    } catch (e) {
      return {};
    }
  };
  var look = read('meridian.appearance');
  var light = look.theme === 'light' || (look.theme === 'system' && matchMedia('(prefers-color-scheme: light)').matches);
  root.dataset.theme = light ? 'light' : 'dark';
  root.dataset.updown = look.updown || 'green-red';
  var language = read('meridian.language');
  if (language.tag) root.lang = language.tag;
  var preload = function (file, kind) {
    var link = document.createElement('link');
    link.rel = kind ? 'preload' : 'modulepreload';
    if (kind) {
      link.as = kind;
      // As the app then asks for it; what was fetched in another mode is not used.
      link.crossOrigin = '';
    }
    link.href = file;
    document.head.appendChild(link);
  };
  // As the app chooses it: what was stored, else the device's best match.
  var files = __LANGUAGES__;
  var codes = { en: 'en', ja: 'jp', ko: 'kr', es: 'esp', zh: 'zh', th: 'th', tr: 'teq', it: 'ydl', de: 'deyu', fr: 'fayu' };
  var guess = function () {
    for (var n = 0; n < (navigator.languages || []).length; n++) {
      var wanted = navigator.languages[n];
      var code = /^zh-(Hant|HK|TW|MO)/i.test(wanted) ? 'hk' : codes[wanted.split('-')[0].toLowerCase()];
      if (code) return code;
    }
    return 'en';
  };
  var code = files[language.code] ? language.code : guess();
  if (files[code]) preload(files[code]);
  if (/^#?\/?(pages\/index\/index)?$/.test(location.hash)) {
    root.dataset.shell = 'home';
    __HOME__.forEach(function (one) {
      preload(one, /\.css$/.test(one) && 'style');
    });
    // A guest reads the first words at once, where the app will write them.
    var words = __WORDS__[code];
    if (words && !read('meridian.session').token) {
      document.addEventListener('readystatechange', function () {
        var lines = document.querySelectorAll('.shell-hero p');
        for (var n = 0; n < lines.length; n++) lines[n].textContent = words[n];
        root.dataset.guest = '';
      });
    }
  } else {
    // Where the code of any other page is.
    preload(__TABLE__);
  }
})();
